import { useSyncExternalStore } from "react";
import type { Chat } from "#shared/entities/chat.ts";
import type { WorkspaceId } from "#shared/entities/workspace.ts";
import { isUuid } from "#shared/uuid.ts";
import { currentOwner } from "#web/features/people/session/current-owner.ts";
import { useSession } from "#web/features/people/session/use-session.ts";
import * as z from "zod/mini";
import { stored } from "#web/lib/storage.ts";
import { createStore } from "#web/lib/store.ts";

/** What somebody's lists show in this browser; there is one only for who is in a team. Its name stands there before the teams are known. */
export type WorkspaceChoice = {
  userId: string;
  id: WorkspaceId;
  name: string;
  /** True for a team that leaves content to its admins, of whom this is none: what begins there is one's own. */
  isClosed: boolean;
};

const storedChoice = stored<WorkspaceChoice | null>(
  "workspace",
  z.nullable(z.looseObject({ userId: z.string(), id: z.string(), name: z.string(), isClosed: z.boolean() })),
  null,
);

const choice = createStore(readStoredChoice());

function readStoredChoice(): WorkspaceChoice | null {
  const read = storedChoice.read();
  return read && (read.id === "personal" || read.id === "all" || isUuid(read.id)) ? read : null;
}

/** Shows another workspace from now on, in this tab and in what is opened later; null where there is nothing to choose. */
export function setWorkspace(next: WorkspaceChoice | null): void {
  choice.set(next);
  if (next === null) storedChoice.remove();
  else storedChoice.write(next);
}

/** What an account has chosen in this browser. */
export function choiceOf(userId: string | null): WorkspaceChoice | null {
  const now = choice.get();
  return now?.userId === userId ? now : null;
}

/** The workspace that is shown now: all, where nobody chose one. */
export function currentWorkspace(): WorkspaceId {
  return choiceOf(currentOwner())?.id ?? "all";
}

function teamOf(workspace: WorkspaceId): string | null {
  return workspace === "personal" || workspace === "all" ? null : workspace;
}

/** The team that a chat begun now is shared with; none in 'personal', in 'all', and where one may not share with it. */
export function teamToBeginIn(): string | null {
  return choiceOf(currentOwner())?.isClosed ? null : teamOf(currentWorkspace());
}

/** What the person here has chosen; null for who is in no team. */
export function useWorkspaceChoice(): WorkspaceChoice | null {
  const { user, status } = useSession();
  const userId = user && status === "user" ? user.id : null;
  return useSyncExternalStore(choice.subscribe, () => choiceOf(userId));
}

/** The workspace whose lists the person here sees. */
export function useWorkspace(): WorkspaceId {
  return useWorkspaceChoice()?.id ?? "all";
}

/** The team whose workspace is shown; null in 'personal' and in 'all'. */
export function useWorkspaceTeam(): string | null {
  return teamOf(useWorkspace());
}

/** True where a workspace holds the chat: what none of one's teams shares is personal. */
export function isInWorkspace(workspace: WorkspaceId, { teams }: Pick<Chat, "teams">): boolean {
  if (workspace === "all") return true;
  return workspace === "personal" ? teams.length === 0 : teams.includes(workspace);
}
