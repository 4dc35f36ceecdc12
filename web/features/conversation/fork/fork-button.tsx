import { GitBranch } from "lucide-react";
import type { Message } from "#shared/entities/message.ts";
import { IconButton } from "#web/ui/icon-button.tsx";
import { useFork } from "./use-fork.ts";

/** Goes on from a message in a chat of its own; the one it stands in stays as it is. */
export function ForkButton({ message }: { message: Message }) {
  const fork = useFork();
  return <IconButton label="Fork" icon={GitBranch} disabled={fork.isPending} onClick={() => fork.mutate(message)} />;
}
