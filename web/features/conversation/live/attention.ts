import { ATTENTION_REPEAT_MS, TYPING_REPEAT_MS } from "#shared/live-limits.ts";
import { isUuid } from "#shared/uuid.ts";
import type { ChatAnswer } from "#web/features/conversation/messages/use-chat.ts";
import { onDraftChange, readDraft } from "#web/features/conversation/composer/drafts.ts";
import { cachedChat } from "#web/features/conversation/chat-cache/cached-lists.ts";
import { showMark } from "#web/features/conversation/chat-cache/mark-chat.ts";
import type { LiveConnection } from "#web/lib/live-socket.ts";
import { keys, queryClient } from "#web/lib/query.ts";

export type Attention = {
  /** The chat on screen is this one now, or none. */
  setWatchedChat: (chatId: string | null) => void;
  /** Says all of it again, to a hub that just heard of this tab. */
  introduce: () => void;
  stop: () => void;
};

/** Reports to the hub what this tab looks at, and in shared chats whether its person types: what is looked at does not become unread. */
export function startAttention(say: LiveConnection["say"]): Attention {
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
