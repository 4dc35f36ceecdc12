import { type TurnStarted, editMessage, sendMessage, stopReply } from "#shared/contracts/chat/messages.ts";
import type { Message } from "#shared/entities/message.ts";
import { MOVED_ON } from "#shared/moved-on.ts";
import { isLive } from "#shared/is-live.ts";
import { movePicked } from "#web/features/conversation/chat-settings/picked-settings.ts";
import { rereadSettings } from "#web/features/conversation/chat-settings/use-chat-settings.ts";
import { type SessionAnswer, refreshSession } from "#web/features/people/session/use-session.ts";
import { call } from "#web/lib/api.ts";
import { afterFirstText, beginAwaitingFirstText } from "#web/lib/first-text.ts";
import { keys, queryClient } from "#web/lib/query.ts";
import { toast, toastFailure } from "#web/ui/toast/toast.tsx";
import { beginTurn } from "./begin-turn.ts";
import { connection, reportIfOffline, reportOffline } from "#web/lib/connection.ts";
import { createKeyedStore } from "#web/lib/keyed-store.ts";
import { runExclusively } from "./in-turn.ts";
import { updateCachedMessages } from "#web/features/conversation/messages/update-cached-messages.ts";
import { type MessagePages, appendMessages, cutBefore, pathOf } from "#web/features/conversation/messages/message-pages.ts";
import { type PendingSend, outbox } from "./outbox.ts";
import { type SendFailure, classifyFailure } from "./send-failure.ts";
import { messagesQuery } from "#web/features/conversation/messages/use-messages.ts";
import { newQuestion, newReply } from "#web/features/conversation/messages/turn-messages.ts";

/** `waiting` is a message that stays here until its chat can take it. */
export type SendOutcome = { kind: "sent" } | { kind: "waiting" } | SendFailure;

/** How long a chat's first page is waited for, in milliseconds, before a message goes to its queue without. */
const PATIENCE_MS = 10_000;

const inFlight = new Set<string>();
/** Chats whose reply was stopped before it was accepted. */
const unwanted = new Set<string>();

/** New chats that this page had to begin again under another id, by their first one. */
export const movedChats = createKeyedStore<string | null>(null);

/** New chats whose first words are waited for: only then they are read. */
export const awaitingFirstText = createKeyedStore(false);

/** Sends a message that was just written; the same id may be sent again, as the server takes it once. */
export async function deliver(send: PendingSend): Promise<SendOutcome> {
  // From now on, also while another is on its way: stopping its reply means this one too.
  inFlight.add(send.id);
  // Also while its turn is waited for, which takes a moment even where nothing else is on its way.
  const hasBegun = beginAwaitingFirstText();
  try {
    return await runExclusively(send.chatId, () => deliverNow(send, { isLate: false }));
  } finally {
    inFlight.delete(send.id);
    hasBegun();
  }
}

/** Sends a message that waited, and to whose chat anything may have come since; in its chat's turn. */
export async function deliverWaiting(send: PendingSend): Promise<SendOutcome> {
  inFlight.add(send.id);
  try {
    return await deliverNow(send, { isLate: true });
  } finally {
    inFlight.delete(send.id);
  }
}

/** True while this page itself asks the server to take a message. */
export function isInFlight(id: string): boolean {
  return inFlight.has(id);
}

type Lateness = { isLate: boolean };

async function deliverNow({ id, chatId }: PendingSend, lateness: Lateness): Promise<SendOutcome> {
  outbox.reread();
  const send = outbox.get(id);
  if (!send) {
    // Another tab was quicker, to send it or to remove it.
    void queryClient.invalidateQueries({ queryKey: keys.messages(chatId) });
    return { kind: "sent" };
  }
  const outcome = await tryOnce(send, lateness);
  if (isOrphan(send, outcome)) return tryOnce(beginAgain(send), lateness);
  if (isTeamLost(send, outcome)) return tryOnce(beginAlone(send), lateness);
  // As it is by now, with what it follows.
  return isUntimely(send, outcome) ? queue(outbox.get(id) ?? send) : outcome;
}

/** Another tab, or another person, was quicker: the reply to theirs is being written. */
function isUntimely({ isFirst }: PendingSend, outcome: SendOutcome): boolean {
  return !isFirst && outcome.kind === "refused" && outcome.code === "TURN_IN_PROGRESS";
}

async function queue(send: PendingSend): Promise<SendOutcome> {
  if (send.corrects !== undefined) {
    // Another version of a message has no place in the queue.
    outbox.update(send.id, { state: { kind: "queued" } });
    return { kind: "waiting" };
  }
  outbox.update(send.id, { tried: send.tried ?? send.content, state: { kind: "sending" } });
  const { moveToQueue } = await import("#web/features/conversation/sending/wait-instead.ts");
  const failure = await moveToQueue(send);
  if (failure) markUnsent(send, failure);
  return failure ?? { kind: "sent" };
}

/** A visitor's first chat whose answer was lost belongs to a guest whom this browser never became. */
function isOrphan({ isFirst, ownerId }: PendingSend, outcome: SendOutcome): boolean {
  return isFirst && ownerId === null && outcome.kind === "refused" && (outcome.code === "CONFLICT" || outcome.code === "NOT_FOUND");
}

/** The team in whose workspace it was written is gone, or takes nothing more from this person. */
function isTeamLost({ teamId }: PendingSend, outcome: SendOutcome): boolean {
  return teamId !== undefined && outcome.kind === "refused" && ["TEAM_NOT_FOUND", "TEAM_ADMINS_ONLY"].includes(outcome.code);
}

function beginAlone(send: PendingSend): PendingSend {
  outbox.update(send.id, { teamId: undefined, state: { kind: "sending" } });
  toast({ title: "This chat is yours alone", description: "You can no longer share with the team that it was written in." });
  return { ...send, teamId: undefined };
}

function beginAgain(send: PendingSend): PendingSend {
  const chatId = crypto.randomUUID();
  movePicked(send.chatId, chatId, send.settings);
  movedChats.set(send.chatId, chatId);
  outbox.update(send.id, { chatId, state: { kind: "sending" } });
  for (const { id } of outbox.ofChat(send.chatId)) outbox.update(id, { chatId });
  return { ...send, chatId };
}

async function tryOnce(send: PendingSend, { isLate }: Lateness): Promise<SendOutcome> {
  const { id, chatId, content, corrects } = send;
  outbox.update(id, { state: { kind: "sending" } });
  try {
    let { parentId, follows } = send;
    if (parentId === undefined || corrects !== undefined) {
      const path = await readPath(chatId, isLate);
      const stored = path.find((message) => message.id === id);
      if (stored) return confirmStored(send, stored);
      const last = path.at(-1);
      if (!isExpected(send, last)) {
        const failure = { kind: "refused", code: "CHAT_MOVED_ON", message: MOVED_ON } as const;
        markUnsent(send, failure);
        return failure;
      }
      parentId ??= last?.id ?? null;
      // Nothing was shown when it was written: from here on it comes after what was read for it, and after nothing else.
      if (corrects === undefined && follows === undefined) follows = last?.id ?? null;
    }
    // The first text of unknown fate stays known until the server has said which one it has.
    outbox.update(id, { parentId, follows, tried: send.tried ?? content });
    const sharedFields = { id, content, ...send.settings, ...(send.once && { settings_once: send.once }) };
    const onStarted = (started: TurnStarted) => accept({ ...send, parentId: parentId ?? null }, started);
    if (corrects !== undefined) {
      await beginTurn(editMessage, { chatId, input: { params: { id: chatId, messageId: corrects }, body: sharedFields }, onStarted });
      return { kind: "sent" };
    }
    const body = {
      ...sharedFields,
      parent_id: parentId,
      ...(send.teamId !== undefined && { team_id: send.teamId }),
      ...(send.folderId !== undefined && { folder_id: send.folderId }),
      ...(send.attachments && { attachments: send.attachments.map((file) => file.id) }),
    };
    await beginTurn(sendMessage, { chatId, input: { params: { id: chatId }, body }, onStarted });
    return { kind: "sent" };
  } catch (error) {
    const failure = classifyFailure(error);
    const stored = await findRefusedFor(send, failure);
    if (stored) return confirmStored(send, stored);
    markUnsent(send, failure);
    return failure;
  } finally {
    unwanted.delete(chatId);
  }
}

/** True where the chat ends as its writer saw it; what corrects a message that had arrived, with that one or its answer. */
function isExpected({ follows, corrects }: PendingSend, last: Message | undefined): boolean {
  if (follows === (last?.id ?? null)) return true;
  return corrects === undefined ? follows === undefined : last?.id === corrects || last?.parent_id === corrects;
}

/** The message as the server has it, where an earlier try arrived and its text is not the one that was sent now. */
async function findRefusedFor(send: PendingSend, failure: SendFailure): Promise<Message | undefined> {
  const { id, chatId, tried, isFirst, ownerId } = send;
  const isVisitors = isFirst && ownerId === null;
  if (failure.kind !== "refused" || failure.code !== "CONFLICT" || tried === undefined || isVisitors) return undefined;
  const path = await readPath(chatId, true).catch((): Message[] => []);
  return path.find((message) => message.id === id);
}

/** True where the server has a message as it stands here, which may have been rewritten after a try. */
export function isStoredAsWritten({ content, tried }: PendingSend, stored: Message | undefined): boolean {
  return stored !== undefined && (tried === undefined || tried === content || stored.content === content);
}

/** A message that the server turns out to have is no longer pending; what was written in its place meanwhile becomes another version of it. */
export function confirmStored(send: PendingSend, stored: Message): SendOutcome {
  if (isStoredAsWritten(send, stored)) {
    outbox.remove(send.id);
    const answer = cachedPath(send.chatId).find(({ parent_id: parentId }) => parentId === stored.id);
    putLineAfter(send.chatId, answer?.id ?? stored.id);
  } else {
    outbox.replace(send.id, {
      ...send,
      id: crypto.randomUUID(),
      corrects: stored.id,
      parentId: stored.parent_id,
      follows: undefined,
      isFirst: false,
      teamId: undefined,
      folderId: undefined,
      tried: undefined,
      state: { kind: "queued" },
    });
  }
  return { kind: "sent" };
}

/** What waits in a chat was written to come after what has just been sent and its answer. */
function putLineAfter(chatId: string, messageId: string): void {
  for (const { id } of outbox.ofChat(chatId)) outbox.update(id, { follows: messageId });
}

/** The message that the chat's shown path ends with, null where it has none yet; undefined where nothing is shown. */
export function lastShownId(chatId: string): string | null | undefined {
  const pages = queryClient.getQueryData<MessagePages>(keys.messages(chatId));
  return pages && (pathOf(pages).at(-1)?.id ?? null);
}

/** What the shown path ends with; where nothing is shown yet, once its first page is there, which is waited for a while. */
export async function awaitLastShown(chatId: string): Promise<string | null | undefined> {
  const shown = lastShownId(chatId);
  if (shown !== undefined || connection().kind !== "online") return shown;
  await Promise.race([readFirst(chatId), new Promise((resolve) => setTimeout(resolve, PATIENCE_MS))]);
  return lastShownId(chatId);
}

/** Notes what a message follows that was written before its chat was shown, as soon as the chat is. */
export async function recordPrecedingMessage({ id, chatId }: Pick<PendingSend, "id" | "chatId">): Promise<void> {
  if (outbox.get(id)?.follows !== undefined) return;
  await readFirst(chatId);
  const send = outbox.get(id);
  const follows = lastShownId(chatId);
  if (follows !== undefined && send && send.follows === undefined) outbox.update(id, { follows });
}

async function readFirst(chatId: string): Promise<void> {
  // A chat that is still to begin has none, and the line follows its first message.
  if (outbox.ofChat(chatId).some(({ isFirst }) => isFirst)) return;
  // What fails here is reported where the chat is shown.
  await queryClient.ensureInfiniteQueryData(messagesQuery(chatId)).catch(() => undefined);
}

/** Codes that say that the chat is not as it is shown. */
const STALE = new Set(["TURN_IN_PROGRESS", "CHAT_MOVED_ON", "CONFLICT"]);

/** Notes what became of a message that the server did not take. */
function markUnsent(send: PendingSend, failure: SendFailure): void {
  if (failure.kind === "offline") {
    outbox.update(send.id, { state: { kind: "queued" } });
    return reportOffline();
  }
  // What was refused was not stored: a later try may answer another message.
  const reset = failure.kind === "refused" ? { parentId: send.isFirst ? null : undefined, tried: send.tried } : {};
  if (!send.isFirst && STALE.has(failure.code)) {
    void queryClient.invalidateQueries({ queryKey: keys.messages(send.chatId) });
  }
  return outbox.update(send.id, { ...reset, state: { kind: "failed", code: failure.code, message: failure.message } });
}

/** Stops the chat's reply; one that is still being asked for is stopped as soon as it exists. */
export function stop(chatId: string): void {
  if (outbox.ofChat(chatId).some((send) => inFlight.has(send.id))) unwanted.add(chatId);
  else void askToStop(chatId);
}

async function askToStop(chatId: string): Promise<void> {
  try {
    await call(stopReply, { params: { id: chatId } });
  } catch (error) {
    reportIfOffline(error);
    toastFailure("Failed to stop", error);
  }
}

/** True while the chat's last known message may still change by itself. */
export function hasLiveReply(chatId: string): boolean {
  const last = cachedPath(chatId).at(-1);
  return last !== undefined && isLive(last.status);
}

/** The chat's path; as the server has it now where what is held of it may be old. */
async function readPath(chatId: string, isLate: boolean): Promise<Message[]> {
  const query = messagesQuery(chatId);
  const isOld = isLate || queryClient.getQueryState(query.queryKey)?.isInvalidated === true;
  // Whether there is a network the request itself finds out: a paused one would keep the others waiting.
  const now = { ...query, staleTime: 0, retry: false, networkMode: "always" } as const;
  return pathOf(await (isOld ? queryClient.fetchInfiniteQuery(now) : queryClient.ensureInfiniteQueryData(query)));
}

function cachedPath(chatId: string) {
  return pathOf(queryClient.getQueryData<MessagePages>(keys.messages(chatId)));
}

function accept(send: PendingSend & { parentId: string | null }, started: TurnStarted): void {
  const { id, chatId, content, settings, once, attachments, corrects } = send;
  const { replyId, autopilot, persona, knowledge } = started;
  const session = queryClient.getQueryData<SessionAnswer>(keys.session);
  const author = session?.user ? { id: session.user.id, display_name: session.user.display_name } : null;
  const place = corrects === undefined ? undefined : cachedPath(chatId).find((message) => message.id === corrects);
  const parentId = place?.parent_id ?? send.parentId;
  if (corrects !== undefined && !place) {
    // The shown path went another way meanwhile: only the server knows the one that leads here.
    void queryClient.invalidateQueries({ queryKey: keys.messages(chatId) });
  } else {
    updateCachedMessages(chatId, (pages) =>
      appendMessages(pages && place ? cutBefore(pages, place.id) : pages, [
        newQuestion({ id, chatId, parentId, content, author, attachments, siblingIds: place?.sibling_ids ?? [] }),
        newReply({ id: replyId, chatId, parentId: id, modelId: once?.model_id ?? settings.model_id, autopilot, persona, knowledge }),
      ]),
    );
  }
  if (send.isFirst) awaitingFirstText.set(chatId, true);
  outbox.remove(id);
  putLineAfter(chatId, replyId);
  if (unwanted.has(chatId)) void askToStop(chatId);
  void afterFirstText().then(() => {
    awaitingFirstText.set(chatId, false);
    if (send.isFirst || Object.keys(settings).length > 1) void rereadSettings(chatId);
    // A visitor's first message made them a guest.
    if (session && !session.user) void refreshSession();
  });
}
