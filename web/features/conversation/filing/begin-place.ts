import type { listTeams } from "#shared/contracts/account/teams.ts";
import type { ResponseOf } from "#shared/contracts/endpoint.ts";
import type { Folder } from "#shared/entities/folders/folder.ts";
import type { Team } from "#shared/entities/team.ts";
import { belongsToWorkspace } from "#web/features/conversation/chat-cache/list-scope.ts";
import { currentOwner } from "#web/features/people/session/current-owner.ts";
import { currentFolderId } from "#web/features/conversation/list-state/sidebar-state.ts";
import { isClosedTo } from "#web/features/conversation/workspaces/settle-choice.ts";
import { choiceOf, teamToBeginIn, type WorkspaceChoice } from "#web/features/people/workspaces/workspace-store.ts";
import { keys, queryClient } from "#web/lib/query.ts";
import { cachedFolders } from "#web/features/conversation/chat-cache/cached-folders.ts";

/** The opened folder as a chat's beginning, with the team that it shares the chat with. */
export type BeginFolder = { folder: Folder; team: Pick<WorkspaceChoice, "id" | "name"> | null };

type Known = {
  /** The opened folder's id. */
  id: string | null;
  chosen: WorkspaceChoice | null;
  folders: readonly Folder[];
  teams: readonly Team[];
};

/** The folder that a chat begun now goes into: the opened one, where the shown workspace has it and one may begin a chat there. */
export function beginFolder({ id, chosen, folders, teams }: Known): BeginFolder | null {
  const folder = folders.find((known) => known.id === id);
  if (!folder || !belongsToWorkspace(chosen?.id ?? "all", folder.workspace)) return null;
  if (folder.workspace === "personal") return { folder, team: null };
  if (chosen?.id === folder.workspace) return chosen.isClosed ? null : { folder, team: chosen };
  const team = teams.find((known) => known.id === folder.workspace);
  return team && !isClosedTo(team) ? { folder, team } : null;
}

/** Where a chat begun now goes: an opened folder decides the team too, whatever workspace is shown. */
export function placeToBeginIn(): { teamId: string | null; folderId: string | null } {
  const begun = beginFolder({
    id: currentFolderId(),
    chosen: choiceOf(currentOwner()),
    folders: cachedFolders()?.folders ?? [],
    teams: queryClient.getQueryData<ResponseOf<typeof listTeams>>(keys.ownTeams)?.teams ?? [],
  });
  if (begun === null) return { teamId: teamToBeginIn(), folderId: null };
  return { teamId: begun.team?.id ?? null, folderId: begun.folder.id };
}
