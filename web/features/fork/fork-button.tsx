import { GitBranch } from "lucide-react";
import { useState } from "react";
import { useNavigate } from "react-router";
import type { Message } from "#shared/entities/message.ts";
import { useNotifyFailure } from "#web/features/sending/use-notify-failure.ts";
import { IconButton } from "#web/ui/icon-button.tsx";
import { fork } from "./fork.ts";

/** Goes on from a message in a chat of its own; the one it stands in stays as it is. */
export function ForkButton({ message }: { message: Message }) {
  const navigate = useNavigate();
  const notifyFailure = useNotifyFailure();
  const [isBusy, setIsBusy] = useState(false);
  const go = async () => {
    setIsBusy(true);
    try {
      void navigate(`/c/${await fork(message)}`);
    } catch (error) {
      notifyFailure("Failed to fork chat", error, null);
    } finally {
      setIsBusy(false);
    }
  };
  return <IconButton label="Fork" icon={GitBranch} disabled={isBusy} onClick={() => void go()} />;
}
