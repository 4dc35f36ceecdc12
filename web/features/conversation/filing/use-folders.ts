import { queryOptions, useQuery } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import { listFolders } from "#shared/contracts/folders.ts";
import type { Chat } from "#shared/entities/chat.ts";
import type { Folder, Tag } from "#shared/entities/folders/folder.ts";
import type { WorkspaceId } from "#shared/entities/workspace.ts";
import type { LiveEvent } from "#shared/live-events.ts";
import { belongsToWorkspace } from "#web/features/conversation/chat-cache/list-scope.ts";
import { useSession } from "#web/features/people/session/use-session.ts";
import { useWorkspace } from "#web/features/people/workspaces/workspace-store.ts";
import { call } from "#web/lib/api.ts";
import { lifetimes } from "#web/lib/lifetimes.ts";
import { onLive } from "#web/lib/live.ts";
import { keys, queryClient } from "#web/lib/query.ts";
import type { FoldersAndTags } from "#web/features/conversation/chat-cache/cached-folders.ts";
import { isChangingFolders } from "./filing-change.ts";

const NONE: FoldersAndTags = { folders: [], tags: [] };

/** Counts follow what happens in chats so much later, in milliseconds: many things happen at once. */
const RECOUNT_MS = 800;

const foldersQuery = queryOptions({
  queryKey: keys.folders,
  queryFn: ({ signal }) => call(listFolders, {}, { signal }),
  staleTime: lifetimes.live,
});

/** The person's folders that the shown workspace has, in the order of the tree's siblings, and all their tags; guests have none. */
export function useFolders() {
  const { isGuest } = useSession();
  const workspace = useWorkspace();
  const query = useQuery({ ...foldersQuery, enabled: !isGuest });
  useEffect(followFolders, []);
  const { folders, tags } = (!isGuest && query.data) || NONE;
  return { folders: useMemo(() => foldersIn(folders, workspace), [folders, workspace]), tags, isReady: query.data !== undefined, query };
}

/** The folders of a workspace, each after its earlier siblings; one's own come before a team's. One whose parent is not among them stands at the top. */
export function foldersIn(folders: readonly Folder[], workspace: WorkspaceId): Folder[] {
  const rank = (folder: Folder) => (folder.workspace === "personal" ? "" : folder.workspace);
  const shown = folders.filter((folder) => belongsToWorkspace(workspace, folder.workspace));
  const workspaceOf = new Map(shown.map((folder) => [folder.id, folder.workspace]));
  const isLost = ({ parent_id: parent, workspace: own }: Folder) => parent !== null && workspaceOf.get(parent) !== own;
  return shown
    .map((folder) => (isLost(folder) ? { ...folder, parent_id: null } : folder))
    .toSorted((a, b) => (rank(a) === rank(b) ? a.position - b.position : rank(a) < rank(b) ? -1 : 1));
}

/** The tags that a chat has, as they are known, in their order. */
export function tagsOf(tags: readonly Tag[], ids: readonly string[]): Tag[] {
  return tags.filter(({ id }) => ids.includes(id));
}

let followers = 0;
let stop: (() => void) | undefined;

/** Lets other tabs and devices change the folders and tags, while something shows them. */
function followFolders(): () => void {
  followers += 1;
  stop ??= followFiling(() => {
    // What this page is changing it reads when it has done so.
    if (!isChangingFolders()) void queryClient.invalidateQueries({ queryKey: keys.folders });
  });
  return () => {
    followers -= 1;
    if (followers > 0) return;
    stop?.();
    stop = undefined;
    // Nobody hears of changes until something shows them again.
    void queryClient.invalidateQueries({ queryKey: keys.folders, refetchType: "none" });
  };
}

/** Calls `reread` when folders or tags, or how many chats they hold, may have changed, the latter later; returns how to stop. */
export function followFiling(reread: () => void): () => void {
  let isBack = false;
  // As events had them last: the lists' own rows show ahead what is not counted yet.
  const known = new Map<string, string>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const recount = () => {
    timer = undefined;
    reread();
  };
  const unsubscribe = onLive((event) => {
    if (event.type === "content.changed" && event.kind === "folder") reread();
    else if (event.type === "hello" && isBack) reread();
    else if (changesCounts(event, known)) timer ??= setTimeout(recount, RECOUNT_MS);
    if (event.type !== "hello") return;
    isBack = true;
    known.clear();
  });
  return () => {
    clearTimeout(timer);
    unsubscribe();
  };
}

/** True for news that may change how many chats a folder holds, or how many of them are unread; `known` keeps what counts of each chat. */
function changesCounts(event: LiveEvent, known: Map<string, string>): boolean {
  const isOther = event.type === "chat.changed" && isCountedOtherwise(event.chat, known);
  const cached = queryClient.getQueryData<FoldersAndTags>(keys.folders);
  if (!cached || cached.folders.length + cached.tags.length === 0) return false;
  return isOther || event.type === "chat.deleted" || event.type === "chats.changed" || event.type === "teams.changed";
}

function isCountedOtherwise({ id, folder_id: folder, tags, isRead, archived }: Chat, known: Map<string, string>): boolean {
  const isFiled = folder !== null || tags.length > 0;
  const before = known.get(id);
  if (!isFiled && before === undefined) return false;
  const now = isFiled ? JSON.stringify([folder, tags, isRead, archived]) : "";
  known.set(id, now);
  return now !== before;
}
