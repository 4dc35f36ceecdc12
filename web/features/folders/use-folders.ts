import { queryOptions, useQuery } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import { listFolders } from "#shared/contracts/folders.ts";
import type { Folder, Tag } from "#shared/entities/folders/folder.ts";
import type { WorkspaceId } from "#shared/entities/workspace.ts";
import type { LiveEvent } from "#shared/live-events.ts";
import { standsIn } from "#web/features/chat-list/list-scope.ts";
import { useSession } from "#web/features/session/use-session.ts";
import { useWorkspace } from "#web/features/workspaces/workspace-store.ts";
import { call } from "#web/lib/api.ts";
import { lifetimes } from "#web/lib/lifetimes.ts";
import { onLive } from "#web/lib/live.ts";
import { keys, queryClient } from "#web/lib/query.ts";
import type { Filing } from "./held-folders.ts";
import { isChangingFolders } from "./filing-change.ts";

const NONE: Filing = { folders: [], tags: [] };

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
  return { folders: useMemo(() => foldersIn(folders, workspace), [folders, workspace]), tags, isReady: query.data !== undefined };
}

/** The folders of a workspace, each after its earlier siblings; one's own come before a team's. */
export function foldersIn(folders: readonly Folder[], workspace: WorkspaceId): Folder[] {
  const rank = (folder: Folder) => (folder.workspace === "personal" ? "" : folder.workspace);
  return folders
    .filter((folder) => standsIn(workspace, folder.workspace))
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
  stop ??= follow();
  return () => {
    followers -= 1;
    if (followers > 0) return;
    stop?.();
    stop = undefined;
    // Nobody hears of changes until something shows them again.
    void queryClient.invalidateQueries({ queryKey: keys.folders, refetchType: "none" });
  };
}

function follow(): () => void {
  let isBack = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const reread = () => {
    timer = undefined;
    // What this page is changing it reads when it has done so.
    if (!isChangingFolders()) void queryClient.invalidateQueries({ queryKey: keys.folders });
  };
  const unsubscribe = onLive((event) => {
    if (event.type === "content.changed" && event.kind === "folder") reread();
    else if (event.type === "hello" && isBack) reread();
    else if (changesCounts(event)) timer ??= setTimeout(reread, RECOUNT_MS);
    if (event.type === "hello") isBack = true;
  });
  return () => {
    clearTimeout(timer);
    unsubscribe();
  };
}

/** True for news that may change how many chats a folder holds, or how many of them are unread. */
function changesCounts(event: LiveEvent): boolean {
  const held = queryClient.getQueryData<Filing>(keys.folders);
  if (!held || held.folders.length + held.tags.length === 0) return false;
  if (event.type === "chat.changed") return event.chat.folder_id !== null || event.chat.tags.length > 0;
  return event.type === "chat.deleted" || event.type === "chats.changed" || event.type === "teams.changed";
}
