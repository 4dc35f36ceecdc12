import { ATTENTION_REPEAT_MS, TYPING_REPEAT_MS } from "#shared/live-limits.ts";
import { isUuid } from "#shared/uuid.ts";
import type { LiveEvent } from "#shared/live-events.ts";
import { oldestCachedCursor, cachedChat, hasMissedEvents } from "#web/features/conversation/chat-cache/cached-lists.ts";
import { connectLive, type LiveConnection } from "#web/lib/live-socket.ts";
import type { ChatAnswer } from "#web/features/conversation/messages/use-chat.ts";
import { onDraftChange, readDraft } from "#web/features/conversation/composer/drafts.ts";
import { showMark } from "#web/features/conversation/chat-cache/mark-chat.ts";
import { keys, queryClient } from "#web/lib/query.ts";
import { currentWorkspace } from "#web/features/people/workspaces/workspace-store.ts";
import { onLive } from "#web/lib/live.ts";
import { changeRow, hideChat, showChat } from "#web/features/conversation/chat-cache/list-changes.ts";
import { reportOverriddenTitle } from "#web/features/conversation/chat-cache/own-renames.ts";

export type Live = {
  /** This chat is on screen now, or none. */
  attend: (chatId: string | null) => void;
  stop: () => void;
};

/** Opens the tab's socket: the lists follow it, and it reports what is looked at. `onRefused` hears of connections that ended before they were open. */
export function goLive(onRefused: () => void): Live {
  const unfollow = followChats();
  const connection = connectLive({ since: oldestCachedCursor(), onRefused, onOpen: () => attention.introduce() });
  const attention = startAttention(connection.say);
  return {
    attend: attention.setWatchedChat,
    stop() {
      attention.stop();
      connection.close();
      unfollow();
    },
  };
}

type Attention = {
  /** The chat on screen is this one now, or none. */
  setWatchedChat: (chatId: string | null) => void;
  /** Says all of it again, to a hub that just heard of this tab. */
  introduce: () => void;
  stop: () => void;
};

/** Reports to the hub what this tab looks at, and in shared chats whether its person types: what is looked at does not become unread. */
function startAttention(say: LiveConnection["say"]): Attention {
  const over = new AbortController();
  let chatId: string | null = null;
  /** The chat was opened and the hub has not heard of it. */
  let opened = false;
  let typedAt = 0;
  let typingReportedAt = 0;

  const isVisible = () => document.visibilityState === "visible";
  const isTyping = () => Date.now() - typedAt < TYPING_REPEAT_MS;
  const notify = () => {
    const isSeen = isVisible();
    const opening = opened && isSeen;
    if (!say({ type: "attention", chat_id: chatId, visible: isSeen, typing: isTyping(), opened: opening })) return;
    if (!opening || chatId === null) return;
    opened = false;
    const row = cachedChat(chatId);
    if (row && !row.isRead) showMark(row, { isRead: true });
  };

  document.addEventListener("visibilitychange", notify, { signal: over.signal });
  document.addEventListener("input", onInput, { signal: over.signal, passive: true });
  // A text that was sent is no longer typed, though nobody took it out of the field by hand.
  const unfollow = onDraftChange(() => {
    if (typedAt === 0 || chatId === null || readDraft(chatId) !== "") return;
    typedAt = 0;
    notify();
  });
  const beat = setInterval(() => {
    if (!isVisible()) return;
    say("ping");
    if (isShared(chatId)) notify();
  }, ATTENTION_REPEAT_MS);

  return {
    setWatchedChat(asked) {
      // An address may hold anything.
      const next = asked !== null && isUuid(asked) ? asked : null;
      if (next === chatId) return;
      chatId = next;
      opened = next !== null;
      typedAt = 0;
      notify();
    },
    introduce: notify,
    stop() {
      over.abort();
      unfollow();
      clearInterval(beat);
    },
  };

  function onInput({ target }: Event): void {
    if (!(target instanceof HTMLTextAreaElement) || target.getAttribute("aria-label") !== "Message" || !isShared(chatId)) return;
    const wasTyping = isTyping();
    typedAt = target.value.trim() === "" ? 0 : Date.now();
    if (isTyping() === wasTyping && Date.now() - typingReportedAt < TYPING_REPEAT_MS) return;
    typingReportedAt = Date.now();
    notify();
  }
}

function isShared(chatId: string | null): boolean {
  if (chatId === null) return false;
  // One opened by its link need not be among the rows that are loaded.
  const row = cachedChat(chatId) ?? queryClient.getQueryData<ChatAnswer>(keys.chat(chatId))?.chat;
  return row !== undefined && (row.isShared || row.hasBeenShared);
}

/** Lets other tabs and devices move, add and remove rows; returns how to stop. */
function followChats(): () => void {
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
