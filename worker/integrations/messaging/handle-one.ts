import { CHAT_TITLE_LENGTH } from "#shared/limits.ts";
import type { Chat } from "#shared/entities/chat.ts";
import { NO_SETTINGS } from "#shared/entities/chat-settings.ts";
import type { MessagingAnswer } from "#worker/conversation/room/messaging.ts";
import { roomOf } from "#worker/conversation/room/stub.ts";
import { readerOf } from "#worker/people/callers/reader.ts";
import { claimChat } from "#worker/people/owned-chats/owned-chats.ts";
import { type Row, showTyping } from "#worker/platform/clients/whatsapp/send.ts";
import type { Database } from "#worker/platform/db/client.ts";
import { type Caller, configOf, type Env } from "#worker/platform/env.ts";
import { countIfAllowed, hourly } from "#worker/platform/http/rate-limit.ts";
import { uuidOfName } from "#worker/platform/uuid-of-name.ts";
import { toolPreferences } from "#worker/people/tool-settings/tool-settings.ts";
import { locationHintFor, type UserRow } from "#worker/people/users/users.ts";
import { AppMessage } from "./app-message.ts";
import { chatOfListRow, commandOf, helpText, latestChats } from "./commands.ts";
import { readContent } from "./read-content.ts";
import { forgetConversation } from "./forget-conversation.ts";
import { chatOfMessage, noteRejected, settleMessage } from "./conversations.ts";
import { selectCurrent, selectMessage, updateCurrent, updateMessage } from "./queries.ts";
import { type MessagingLink, unlinkNumber } from "#worker/people/messaging-number/messaging-number.ts";

/**
 * What a message became: the chat that it is in, and what is said about it, if anything. `later`: it may be taken later, and else this is
 * said. `taken over`: another job is at it.
 */
export type Handled = {
  chatId: string | null;
  say: string | null;
  offer: { text: string; button: string; rows: Row[] } | null;
  outcome?: "later" | "taken over";
};

/** A message and whose it is; `renew` holds on to its being worked off here alone. */
export type Given = { message: AppMessage; link: MessagingLink; person: UserRow; caller: Caller; renew?: () => Promise<boolean> };

/** A message's new text, null for one that is taken back. */
type Change = { messageId: string; text: string | null };

const BEGUN = "Your next message begins a new chat.";
const NO_CHATS = "You have no chats yet. Write something to begin one.";
const NOT_YOURS = "This chat is gone, or you may not write there any more. Write *chats* to choose another, or *new*.";
const FULL = "Too many messages wait for their answers in this chat. Wait for some, or write *new*.";
const ANSWER_FIRST = "I will come to this once you have answered my question above: press Approve or Discard, or answer it with ok or no.";
const UNKNOWN_BUTTON = "This question is over: nothing was changed by your answer.";

function silent(chatId: string | null = null): Handled {
  return { chatId, say: null, offer: null };
}

function saying(say: string, chatId: string | null = null): Handled {
  return { chatId, say, offer: null };
}

/** Does what one message is for. Throws where the caller should try again. */
export async function handleMessage(env: Env, db: Database, given: Given): Promise<Handled> {
  const { message, link } = given;
  const { type, interactive, edit, revoke, system } = message;
  // Somebody's thumb is no message to answer.
  if (type === "reaction") return silent();
  if (type === "system") {
    // Whoever has the old number from now on is somebody else.
    if (system?.type === "user_changed_number") {
      await unlinkNumber(db, link.userId);
      await forgetConversation(env, db, link.userId);
    }
    return silent();
  }
  if (interactive?.button_reply) return pressed(env, given, interactive.button_reply.id);
  if (interactive?.list_reply) return chosen(env, db, given, interactive.list_reply.id);
  if (revoke) return takenBack(env, db, given, revoke.original_message_id);
  const text = edit?.message.text?.body ?? edit?.message.image?.caption ?? edit?.message.document?.caption ?? "";
  const change = edit ? { messageId: edit.original_message_id, text } : null;
  // What changes a message that waits is no message of its own.
  const changed = change && (await changeWaiting(env, db, given, change));
  if (changed) return changed;
  const full = await refuseBurst(env, given);
  if (full !== null) return full === "" ? silent() : saying(full);
  if (change) return corrected(env, db, given, change);
  const command = message.text && !isForwarded(message) ? commandOf(message.text.body) : null;
  if (command === "help") return saying(helpText(env));
  if (command === "new") {
    await updateCurrent(db, link.userId, null);
    return saying(BEGUN);
  }
  if (command === "chats") {
    const rows = await latestChats(env, link.userId);
    return rows.length === 0
      ? saying(NO_CHATS)
      : { ...silent(), offer: { text: "Which chat do you want to go on with?", button: "Choose a chat", rows } };
  }
  return intoChat(env, db, given);
}

/** The one answer to more messages an hour than this; empty for the rest of them. */
async function refuseBurst(env: Env, { link, message }: Given): Promise<string | null> {
  const limit = configOf(env).whatsapp?.messagesPerHour ?? 0;
  const key = `messaging:${link.userId}`;
  // A repeat of one message counts once more: its job failed, which is seldom.
  if (limit === 0 || (await countIfAllowed(env, key, hourly(limit)))) return null;
  const isFirst = await countIfAllowed(env, `messaging-full:${link.userId}`, hourly(1));
  return isFirst
    ? `I take at most ${limit} messages an hour, so this one${message.text ? "" : " and what it carries"} was not taken, nor are those that follow. Try again later.`
    : "";
}

async function pressed(env: Env, { link, message }: Given, buttonId: string): Promise<Handled> {
  const [, word, chatId = "", token = ""] = /^(approve|discard)\/([0-9a-f-]{36})\/([0-9a-z]{25})$/.exec(buttonId) ?? [];
  if (word === undefined) return saying(UNKNOWN_BUTTON);
  const isApproved = word === "approve";
  const input = { kind: "press" as const, userId: link.userId, token, isApproved, identity: message.id };
  return decided(await roomOf(env, chatId).messaging(input), chatId);
}

function decided(answer: MessagingAnswer, chatId: string): Handled {
  if (answer.kind === "stale") return saying(`Your answer was not used. ${answer.reason} Nothing was changed by it.`, chatId);
  return answer.kind === "gone" ? saying(UNKNOWN_BUTTON) : silent(chatId);
}

async function chosen(env: Env, db: Database, { caller }: Given, rowId: string): Promise<Handled> {
  const chatId = chatOfListRow(rowId);
  const details = chatId === null ? null : await roomOf(env, chatId).describe(readerOf(caller));
  if (chatId === null || !details?.ok || !mayWrite(details.value.row)) return saying(NOT_YOURS);
  await updateCurrent(db, caller.userId, chatId);
  return saying(`You are now in “${details.value.row.title || "New Chat"}”. What you write next goes on there.`, chatId);
}

/** A message that waits takes on its new text or goes; null for one that does not wait. */
async function changeWaiting(env: Env, db: Database, { link }: Given, { messageId, text }: Change): Promise<Handled | null> {
  const { userId } = link;
  const row = await selectMessage(db, userId, messageId);
  const waiting =
    row?.state === "waiting" && row.notice === null ? AppMessage.safeParse(JSON.parse(row.message ?? "null")).data : undefined;
  if (waiting) {
    if (text === null) await settleMessage(db, messageId, null);
    else await updateMessage(db, messageId, { message: JSON.stringify(rewritten(waiting, text)) });
    return silent();
  }
  if (!row || row.chat_id === null) return null;
  const answer = await roomOf(env, row.chat_id).messaging({ kind: "rewrite", userId, messageId, text });
  return answer.kind === "done" ? silent(row.chat_id) : null;
}

async function takenBack(env: Env, db: Database, given: Given, messageId: string): Promise<Handled> {
  const changed = await changeWaiting(env, db, given, { messageId, text: null });
  if (changed) return changed;
  const { userId } = given.link;
  // Should it come only now, it is not taken.
  await noteRejected(db, userId, messageId);
  const chatId = await chatOfMessage(db, userId, messageId);
  if (chatId === null) return silent();
  return saying("This message was read already: it stays in the chat, where you can delete it with the chat.", chatId);
}

/** The new text of a message that was read comes after it; one that never was read begins with it. */
async function corrected(env: Env, db: Database, given: Given, { messageId, text }: Change): Promise<Handled> {
  const { userId } = given.link;
  const chatId = await chatOfMessage(db, userId, messageId);
  if (chatId !== null) return intoChat(env, db, withText(given, `I have changed my message. It now says:\n\n${text}`, messageId));
  // Should it come only now, it was taken with this text.
  await noteRejected(db, userId, messageId);
  const begun = await intoChat(env, db, withText({ ...given, message: { ...given.message, id: messageId } }, text ?? ""));
  if (begun.chatId !== null) await updateMessage(db, messageId, { chat_id: begun.chatId });
  return begun;
}

/** Puts a message into its chat whose file could not be fetched, where no answer could say so; returns the chat. */
export async function storeWithoutFile(env: Env, db: Database, given: Given): Promise<string | null> {
  const what = given.message.audio ? "recording" : given.message.image ? "picture" : "file";
  return (await intoChat(env, db, withText(given, `(A ${what} that could not be fetched from WhatsApp.)`))).chatId;
}

function rewritten(message: AppMessage, text: string): AppMessage {
  const { image, document } = message;
  if (image) return { ...message, image: { ...image, caption: text } };
  return document ? { ...message, document: { ...document, caption: text } } : { ...message, text: { body: text } };
}

function isForwarded({ context }: AppMessage): boolean {
  return context?.forwarded === true || context?.frequently_forwarded === true;
}

/** How words begin, and how they came, that somebody hands on without having said them; null for their own. */
function forwardingOf(message: AppMessage): { heading: string | null; from: string } {
  if (isForwarded(message)) return { heading: "Forwarded:", from: "Forwarded" };
  if (message.audio && message.audio.voice !== true) return { heading: "From a recording:", from: "Shared" };
  return { heading: message.location || message.contacts ? "Shared:" : null, from: "Shared" };
}

function withText(given: Given, body: string, about?: string): Given {
  const { id, timestamp, from } = given.message;
  return {
    ...given,
    message: { id, timestamp, from, type: "text", text: { body }, ...(about !== undefined && { context: { id: about } }) },
  };
}

async function intoChat(env: Env, db: Database, given: Given): Promise<Handled> {
  const { message, link, person, caller } = given;
  const about = message.context?.id ?? null;
  const { chatId, isNew, ownerId } = await placeOf(env, db, given, about);
  const { heading, from } = forwardingOf(message);
  if (!isNew && message.text && heading === null) {
    const { body } = message.text;
    const at = (Number(message.timestamp) || 0) * 1_000;
    const input = { kind: "answer" as const, userId: link.userId, name: person.display_name, text: body, about, identity: message.id, at };
    const answer = await roomOf(env, chatId).messaging(input);
    if (answer.kind !== "none" && answer.kind !== "gone") return decided(answer, chatId);
  }
  await showTyping(env, message.id);
  const id = await uuidOfName(`messaging/${link.userId}/${message.id}`);
  const content = await readContent(env, message, { chatId, id, ownerId, caller });
  if (given.renew && !(await given.renew())) return { ...silent(), outcome: "taken over" };
  if (!content.ok) {
    const refused = saying(content.reason, isNew ? null : chatId);
    return content.isPassing === true ? { ...refused, outcome: "later" } : refused;
  }
  if (isNew) await openChat(env, db, { chatId, caller, title: content.text });
  await updateCurrent(db, link.userId, chatId);
  const text = heading === null ? content.text : `${heading}\n\n${content.text.replaceAll(/^/gm, "> ")}`;
  const taken = await roomOf(env, chatId).messaging({
    kind: "take",
    message: {
      id,
      messageId: message.id,
      userId: link.userId,
      displayName: heading === null ? person.display_name : `${from} by ${person.display_name}`,
      content: text,
      files: content.files,
      messaging: { app: "whatsapp", from: link.phone, kind: content.kind, is_forwarded: heading !== null, note: content.note },
    },
  });
  if (taken.kind === "full") return saying(FULL, chatId);
  if (taken.kind === "refused" || taken.kind === "gone") return saying(NOT_YOURS);
  return taken.kind === "waits" ? saying(ANSWER_FIRST, chatId) : silent(chatId);
}

/** The chat that a message goes on in: that of the message which it answers, else the conversation's, else a new one, the same for a repeat. */
async function placeOf(
  env: Env,
  db: Database,
  { message, link, caller }: Given,
  about: string | null,
): Promise<{ chatId: string; isNew: boolean; ownerId: string }> {
  const named = about === null ? null : await chatOfMessage(db, link.userId, about);
  for (const chatId of [named, await selectCurrent(db, link.userId)]) {
    if (chatId === null) continue;
    const details = await roomOf(env, chatId).describe(readerOf(caller));
    // Who may only read goes on elsewhere.
    if (details.ok && mayWrite(details.value.row)) return { chatId, isNew: false, ownerId: details.value.row.user_id };
  }
  return { chatId: await uuidOfName(`messaging-chat/${link.userId}/${message.id}`), isNew: true, ownerId: link.userId };
}

function mayWrite({ permissionLevel }: Pick<Chat, "permissionLevel">): boolean {
  return permissionLevel === "owner" || permissionLevel === "editor";
}

/** A quiet one is on nobody's list before it has the message. */
async function openChat(
  env: Env,
  db: Database,
  { chatId, caller, title }: { chatId: string; caller: Caller; title: string },
): Promise<void> {
  const [{ defaultCategories }, hint] = await Promise.all([toolPreferences(db, caller.userId), locationHintFor(db, caller.userId)]);
  const settings = { ...NO_SETTINGS, tool_categories: defaultCategories };
  const { chat } = await claimChat(db, { id: chatId, caller, title: title.slice(0, CHAT_TITLE_LENGTH).toWellFormed(), settings });
  await roomOf(env, chatId, hint).createChat(chatId, { ...chat, title: "" }, { isQuiet: true });
}
