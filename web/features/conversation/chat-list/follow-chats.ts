import type { LiveEvent } from "#shared/live-events.ts";
import { currentWorkspace } from "#web/features/people/workspaces/workspace-store.ts";
import { onLive } from "#web/lib/live.ts";
import { queryClient } from "#web/lib/query.ts";
import { hasMissedEvents } from "#web/features/conversation/chat-cache/cached-lists.ts";
import { changeRow, hideChat, showChat } from "#web/features/conversation/chat-cache/list-changes.ts";
import { reportOverriddenTitle } from "#web/features/conversation/chat-cache/own-renames.ts";

/** Lets other tabs and devices move, add and remove rows; returns how to stop. */
export function followChats(): () => void {
  return onLive(follow);
}

function follow(event: LiveEvent): void {
  if (event.type === "hello" && (event.reset || hasMissedEvents(event.cursor))) rereadLists();
  if (event.type === "chats.changed") rereadLists();
  if (event.type === "chat.changed") {
    showChat(event.chat);
    reportOverriddenTitle(event.chat.id, event.chat.title);
  }
  if (event.type === "chat.deleted") hideChat(event.chat_id);
  if (event.type === "reply.started") changeRow(event.chat_id, { isStreaming: true });
  if (event.type === "reply.ended") changeRow(event.chat_id, { isStreaming: false });
}

/** Reads the first page of each list of the workspace again, the shown ones at once; what was scrolled to beyond it is asked for again. */
function rereadLists(): void {
  // Of other workspaces nothing is kept that is no longer right.
  queryClient.removeQueries({ queryKey: ["chats"], type: "inactive", predicate: ({ queryKey }) => queryKey[1] !== currentWorkspace() });
  void queryClient.invalidateQueries({ queryKey: ["chats"] });
}
