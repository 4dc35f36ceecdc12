import { useEffect } from "react";
import { useNavigate } from "react-router";
import { isLive } from "#shared/is-live.ts";
import type { LiveEvent } from "#shared/live-events.ts";
import { hasMissed, heldChat } from "#web/features/chat-list/held-list.ts";
import { onLive, seenCursor } from "#web/lib/live.ts";
import { keys, queryClient } from "#web/lib/query.ts";
import { branches, continued } from "#web/features/sending/change-turn.ts";
import { forgetChat } from "#web/features/messages/gone-chats.ts";
import { type MessagePages, pathOf } from "#web/features/messages/message-pages.ts";
import { outbox } from "#web/features/sending/outbox.ts";
import { NOBODY, presences } from "#web/features/messages/presences.ts";
import { isInFlight } from "#web/features/sending/send-message.ts";
import { sendQueued } from "#web/features/sending/send-queued.ts";
import type { ChatAnswer } from "#web/features/messages/use-chat.ts";

/** Keeps cached chats right by the news of other tabs and devices; the shown one follows at once, others when opened. */
export function useLiveChat(chatId: string | null): void {
  const navigate = useNavigate();
  useEffect(
    () =>
      onLive((event) => {
        const isLost = event.type === "chat.deleted" && event.chat_id === chatId && isHeld(chatId);
        const isOthers = isLost && queryClient.getQueryData<ChatAnswer>(keys.chat(event.chat_id))?.chat.isShared === true;
        applyToCache(event, chatId);
        if (event.type !== "chat.deleted" || (!isLost && !event.why && outbox.ofChat(event.chat_id).length === 0)) return;
        const { chat_id: lostId, why, title } = event;
        void import("#web/features/sending/lost-chat.ts").then(({ notifyLoss }) =>
          notifyLoss({ chatId: lostId, isShown: isLost, isOthers, ...(why && { goneWith: title }) }),
        );
        if (isLost) void navigate("/", { replace: true });
      }),
    [chatId, navigate],
  );
}

/** Where it was not there to be read, its page says so already. */
function isHeld(chatId: string): boolean {
  return queryClient.getQueryData(keys.chat(chatId)) !== undefined;
}

function applyToCache(event: LiveEvent, shownChatId: string | null): void {
  switch (event.type) {
    case "presence.changed":
      return presences.set(event.chat_id, event);
    case "hello":
      if (shownChatId !== null) presences.set(shownChatId, NOBODY);
      if (event.reset) void queryClient.invalidateQueries({ queryKey: ["messages"] });
      if (shownChatId !== null) catchUp(shownChatId, event.cursor);
      return;
    case "chat.changed":
      queryClient.setQueryData<ChatAnswer>(keys.chat(event.chat.id), (held) => held && { chat: { ...held.chat, ...event.chat } });
      return;
    case "reply.started":
      if (!isKnown(event.chat_id, event.reply_id) && !isAskedFor(event.message_id, event.chat_id)) reread(event.chat_id, shownChatId);
      return;
    case "version.selected":
      if (!isOnPath(event.chat_id, event.message_id)) reread(event.chat_id, shownChatId);
      return;
    case "reply.ended":
      if (event.chat_id !== shownChatId) void goOnElsewhere(event.chat_id);
      return;
    case "chat.deleted":
      return forgetChat(event.chat_id);
    case "user.changed":
    case "teams.changed":
    case "session.ended":
  }
}

/** Brings a chat that was read before the socket opened up to what has happened since, e.g. its first title. */
function catchUp(chatId: string, cursor: string): void {
  const row = heldChat(chatId);
  // What happened between reading the chat and the socket's opening, no event reports.
  if (row === undefined || hasMissed(cursor)) {
    void queryClient.invalidateQueries({ queryKey: keys.chat(chatId) });
    return reread(chatId, chatId);
  }
  const read = queryClient.getQueryData<ChatAnswer>(keys.chat(chatId))?.chat;
  queryClient.setQueryData<ChatAnswer>(keys.chat(chatId), (held) => held && { chat: { ...held.chat, ...row } });
  // The list may be younger than what was read with the messages, and the socket sends only what came after the list.
  const last = pathOf(queryClient.getQueryData<MessagePages>(keys.messages(chatId))).at(-1);
  const hasGrown = read !== undefined && row.lastMessageAt > read.lastMessageAt;
  // Rows sent again after a gap say that something happened, not what.
  const isBack = seenCursor() > 0;
  if (isBack || hasGrown || (row.isStreaming && last && !isLive(last.status))) reread(chatId, chatId);
}

/** A reply ended in a chat that is not shown: what waits there can be sent, else it is read again when opened. */
async function goOnElsewhere(chatId: string): Promise<void> {
  const isWaitedFor = outbox.ofChat(chatId).length > 0;
  await queryClient.invalidateQueries({ queryKey: keys.messages(chatId), refetchType: isWaitedFor ? "all" : "none" });
  if (isWaitedFor) await sendQueued();
}

function reread(chatId: string, shownChatId: string | null): void {
  const queryKey = keys.messages(chatId);
  void queryClient.invalidateQueries({ queryKey, refetchType: chatId === shownChatId ? "active" : "none" });
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
  return isInFlight(messageId) || branches.get(chatId) !== null || continued.get(chatId);
}
