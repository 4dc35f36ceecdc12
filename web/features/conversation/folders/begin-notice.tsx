import { Folder as FolderIcon, X } from "lucide-react";
import { setView } from "#web/features/conversation/list-state/sidebar-state.ts";
import { useOwnTeams } from "#web/features/conversation/workspaces/use-own-teams.ts";
import { useWorkspaceChoice } from "#web/features/people/workspaces/workspace-store.ts";
import { IconButton } from "#web/ui/icon-button.tsx";
import { beginFolder } from "#web/features/conversation/filing/begin-place.ts";
import { useFolders } from "#web/features/conversation/filing/use-folders.ts";

/** Says above the composer's text which folder the chat to come goes into, and who reads it there. */
export default function BeginNotice({ id }: { id: string }) {
  const { folders } = useFolders();
  const begun = beginFolder({ id, folders, chosen: useWorkspaceChoice(), teams: useOwnTeams() });
  if (!begun) return null;
  return (
    <div role="note" aria-label="Folder of the new chat" className="mb-4 flex h-28 pl-9 items-center gap-8 text-13 text-ink2 touch:h-44">
      <FolderIcon aria-hidden className="size-16 shrink-0" />
      <span className="min-w-0 truncate">
        New chat in <span className="font-medium text-ink">{begun.folder.name}</span>
        {begun.team && (
          <>
            , shared with <span className="font-medium text-ink">{begun.team.name}</span>
          </>
        )}
      </span>
      <IconButton size="sm" label="Begin it in no folder" icon={X} onClick={() => setView("all")} />
    </div>
  );
}
