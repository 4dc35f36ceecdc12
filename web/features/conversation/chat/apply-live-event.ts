import { isLive } from "#shared/is-live.ts";
import type { LiveEvent } from "#shared/live-events.ts";
import { hasMissedEvents, cachedChat } from "#web/features/conversation/chat-cache/cached-lists.ts";
import { forgetChat } from "#web/features/conversation/messages/forgotten-chats.ts";
import { type MessagePages, pathOf } from "#web/features/conversation/messages/message-pages.ts";
import { NOBODY, presences } from "#web/features/conversation/messages/presences.ts";
import type { ChatAnswer } from "#web/features/conversation/messages/use-chat.ts";
import { branches, continuing } from "#web/features/conversation/sending/change-turn.ts";
import { outbox } from "#web/features/conversation/sending/outbox.ts";
import { isInFlight } from "#web/features/conversation/sending/send-message.ts";
import { sendQueued } from "#web/features/conversation/sending/send-queued.ts";
import { seenCursor } from "#web/lib/live.ts";
import { keys, queryClient } from "#web/lib/query.ts";

/** Applies the news of other tabs and devices to what this tab holds of chats; `shownChatId` follows at once, others are read again when opened. */
export function applyLiveEvent(event: LiveEvent, shownChatId: string | null): void {
  switch (event.type) {
    case "presence.changed":
      return presences.set(event.chat_id, event);
    case "hello":
      if (shownChatId !== null) presences.set(shownChatId, NOBODY);
      invalidateHiddenChats(shownChatId);
      if (shownChatId !== null) refetchIfStale(shownChatId, event);
      return;
    case "chat.changed":
      queryClient.setQueryData<ChatAnswer>(keys.chat(event.chat.id), (held) => held && { chat: { ...held.chat, ...event.chat } });
      // A row does not say all that a chat is.
      if (event.chat.id !== shownChatId) invalidate(keys.chat(event.chat.id));
      return;
    case "reply.started":
      if (!isKnown(event.chat_id, event.reply_id) && !isAskedFor(event.message_id, event.chat_id)) invalidate(keys.messages(event.chat_id));
      return;
    case "version.selected":
      if (!isOnPath(event.chat_id, event.message_id)) invalidate(keys.messages(event.chat_id));
      return;
    case "reply.ended":
      // Of a reply that is shown its own stream reports the end.
      if (event.chat_id !== shownChatId || !isOnPath(event.chat_id, event.reply_id)) void refetchAfterReply(event.chat_id);
      return;
    case "runs.changed":
      // What a run brought stands in its call's answer.
      return invalidate(keys.messages(event.chat_id));
    case "chat.deleted":
      return forgetChat(event.chat_id);
    case "user.changed":
    case "teams.changed":
    case "session.ended":
  }
}

/** A line that was broken reports rows, and not what happened in them: what is held of chats that are not shown may have grown old. */
function invalidateHiddenChats(shownChatId: string | null): void {
  for (const [kind, id] of queryClient
    .getQueryCache()
    .getAll()
    .map(({ queryKey }) => queryKey)) {
    if (typeof id !== "string" || id === shownChatId) continue;
    if (kind === keys.messages(id)[0]) invalidate(keys.messages(id));
    if (kind === keys.chat(id)[0]) invalidate(keys.chat(id));
  }
}

/** Brings a chat that was read before the socket opened up to what has happened since, e.g. its first title. */
function refetchIfStale(chatId: string, { cursor, reset }: Extract<LiveEvent, { type: "hello" }>): void {
  const row = cachedChat(chatId);
  // What happened between reading the chat and the socket's opening, no event reports.
  if (row === undefined || reset || hasMissedEvents(cursor)) {
    invalidate(keys.chat(chatId));
    return invalidate(keys.messages(chatId));
  }
  const read = queryClient.getQueryData<ChatAnswer>(keys.chat(chatId))?.chat;
  queryClient.setQueryData<ChatAnswer>(keys.chat(chatId), (held) => held && { chat: { ...held.chat, ...row } });
  // The list may be younger than what was read with the messages, and the socket sends only what came after the list.
  const last = pathOf(queryClient.getQueryData<MessagePages>(keys.messages(chatId))).at(-1);
  const hasGrown = read !== undefined && row.lastMessageAt > read.lastMessageAt;
  // Rows sent again after a gap say that something happened, not what.
  const isBack = seenCursor() > 0;
  if (isBack || hasGrown || (row.isStreaming && last && !isLive(last.status))) invalidate(keys.messages(chatId));
}

/** A reply ended that no stream of this page follows: what waits behind it can be sent, else its chat is read again when it is shown. */
async function refetchAfterReply(chatId: string): Promise<void> {
  const isWaitedFor = outbox.ofChat(chatId).length > 0;
  await queryClient.invalidateQueries({ queryKey: keys.messages(chatId), refetchType: isWaitedFor ? "all" : "active" });
  if (isWaitedFor) await sendQueued();
}

/** Has something read again: at once where it is shown, else when it is opened. */
function invalidate(queryKey: readonly unknown[]): void {
  void queryClient.invalidateQueries({ queryKey });
}

/** True when this page already follows the reply: it knows from the answer to its own request. */
function isKnown(chatId: string, replyId: string): boolean {
  const path = pathOf(queryClient.getQueryData<MessagePages>(keys.messages(chatId)));
  return path.some((message) => message.id === replyId && isLive(message.status));
}

/** True where this page shows the message already: it chose it itself. */
function isOnPath(chatId: string, messageId: string): boolean {
  return pathOf(queryClient.getQueryData<MessagePages>(keys.messages(chatId))).some(({ id }) => id === messageId);
}

/** True while this page's own request for the turn is still under way. */
function isAskedFor(messageId: string, chatId: string): boolean {
  return isInFlight(messageId) || branches.get(chatId) !== null || continuing.get(chatId);
}
