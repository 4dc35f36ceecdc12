import { Layers } from "lucide-react";
import type { WorkspaceId } from "#shared/entities/workspace.ts";
import type { User } from "#shared/entities/user.ts";
import { Avatar } from "#web/ui/avatar.tsx";
import { Monogram } from "#web/ui/monogram.tsx";

type WorkspaceTileProps = { id: WorkspaceId; name: string; user: Pick<User, "display_name" | "profile_image"> };

/** What a workspace is known by: the person, a pile, or the team's initial. */
export function WorkspaceTile({ id, name, user }: WorkspaceTileProps) {
  if (id === "personal") return <Avatar name={user.display_name} image={user.profile_image} />;
  if (id !== "all") return <Monogram name={name} size={28} />;
  return (
    <span aria-hidden className="inline-flex size-28 shrink-0 items-center justify-center rounded-8 bg-highlight text-ink2">
      <Layers className="size-16" />
    </span>
  );
}
