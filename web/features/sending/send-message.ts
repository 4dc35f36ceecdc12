import { type TurnStarted, sendMessage, stopReply } from "#shared/contracts/chat/messages.ts";
import { isLive } from "#shared/is-live.ts";
import { movePicked } from "#web/features/chat-settings/picked-settings.ts";
import { rereadSettings } from "#web/features/chat-settings/use-chat-settings.ts";
import { type SessionAnswer, refreshSession } from "#web/features/session/use-session.ts";
import { ApiError, call } from "#web/lib/api.ts";
import { afterWords } from "#web/lib/first-words.ts";
import { keys, queryClient } from "#web/lib/query.ts";
import { toast } from "#web/ui/toast/toast.tsx";
import { beginTurn } from "./begin-turn.ts";
import { connection, onConnectionChange, reportIfOffline, reportOffline } from "#web/features/replies/connection.ts";
import { createKeyedStore } from "#web/lib/keyed-store.ts";
import { heldSends } from "./editing.ts";
import { isOwn } from "./message-owner.ts";
import { type MessagePages, appendMessages, pathOf } from "#web/features/messages/message-pages.ts";
import { type PendingSend, outbox } from "./outbox.ts";
import { onReplySettled } from "#web/features/replies/reply-streams.ts";
import { type SendFailure, classifyFailure } from "./send-failure.ts";
import { messagesQuery } from "#web/features/messages/use-messages.ts";
import { newQuestion, newReply } from "#web/features/messages/turn-messages.ts";

export type SendOutcome = { kind: "sent" } | SendFailure;

const inFlight = new Set<string>();
/** Chats whose reply was stopped before it was accepted. */
const unwanted = new Set<string>();

/** New chats that this page had to begin again under another id, by their first one. */
export const movedChats = createKeyedStore<string | null>(null);

/** New chats whose first words are waited for: only then they are read. */
export const begun = createKeyedStore(false);

/** Sends one message of the outbox; the same id may be sent again, as the server takes it once. */
export async function deliver(send: PendingSend): Promise<SendOutcome> {
  const outcome = await tryOnce(send);
  if (isOrphan(send, outcome)) return tryOnce(beginAgain(send));
  if (isTeamLost(send, outcome)) return tryOnce(beginAlone(send));
  return isUntimely(send, outcome) ? queue(send) : outcome;
}

/** Another tab, or another person, was quicker: the reply to theirs is being written. */
function isUntimely({ isFirst }: PendingSend, outcome: SendOutcome): boolean {
  return !isFirst && outcome.kind === "refused" && outcome.code === "TURN_IN_PROGRESS";
}

async function queue(send: PendingSend): Promise<SendOutcome> {
  outbox.update(send.id, { state: { kind: "sending" } });
  const { waitInstead } = await import("#web/features/queue/wait-instead.ts");
  const failure = await waitInstead(send);
  if (failure) keepUnsent(send, failure);
  return failure ?? { kind: "sent" };
}

/** A visitor's first chat whose answer was lost belongs to a guest whom this browser never became. */
function isOrphan({ isFirst, ownerId }: PendingSend, outcome: SendOutcome): boolean {
  return isFirst && ownerId === null && outcome.kind === "refused" && (outcome.code === "CONFLICT" || outcome.code === "NOT_FOUND");
}

/** The team in whose workspace it was written is gone, or takes no more from this person. */
function isTeamLost({ teamId }: PendingSend, outcome: SendOutcome): boolean {
  return teamId !== undefined && outcome.kind === "refused" && outcome.code === "TEAM_NOT_FOUND";
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
  return { ...send, chatId };
}

async function tryOnce(send: PendingSend): Promise<SendOutcome> {
  if (inFlight.has(send.id)) return { kind: "sent" };
  inFlight.add(send.id);
  outbox.update(send.id, { state: { kind: "sending" } });
  try {
    const parentId = send.parentId === undefined ? await lastMessageId(send.chatId) : send.parentId;
    outbox.update(send.id, { parentId });
    const body = {
      id: send.id,
      parent_id: parentId,
      content: send.content,
      ...send.settings,
      ...(send.teamId !== undefined && { team_id: send.teamId }),
      ...(send.folderId !== undefined && { folder_id: send.folderId }),
      ...(send.once && { settings_once: send.once }),
      ...(send.attachments && { attachments: send.attachments.map(({ id }) => id) }),
    };
    await beginTurn(sendMessage, {
      chatId: send.chatId,
      input: { params: { id: send.chatId }, body },
      onStarted: (started) => accept({ ...send, parentId }, started),
    });
    return { kind: "sent" };
  } catch (error) {
    const failure = classifyFailure(error);
    keepUnsent(send, failure);
    return failure;
  } finally {
    inFlight.delete(send.id);
    unwanted.delete(send.chatId);
  }
}

/** Notes what became of a message that the server did not take. */
function keepUnsent(send: PendingSend, failure: SendFailure): void {
  if (failure.kind === "offline") {
    outbox.update(send.id, { state: { kind: "queued" } });
    return reportOffline();
  }
  // What was refused was not stored: a later try may answer another message.
  const kept = failure.kind === "refused" ? { parentId: send.isFirst ? null : undefined } : {};
  if (!send.isFirst && (failure.code === "TURN_IN_PROGRESS" || failure.code === "CONFLICT")) {
    void queryClient.invalidateQueries({ queryKey: keys.messages(send.chatId) });
  }
  return outbox.update(send.id, { ...kept, state: { kind: "failed", code: failure.code, message: failure.message } });
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
    toast({ title: "Failed to stop", description: error instanceof ApiError ? error.message : "", tone: "danger" });
  }
}

/** Sends what waits for the connection, oldest first, and what a closed page left on its way. */
export async function sendQueued(): Promise<void> {
  for (const { id } of outbox.all().filter(isOwn)) {
    // As it is by now: it may have been rewritten, or removed, while another was on its way.
    const send = outbox.get(id);
    if (!send) continue;
    // In their order: what follows one that is being rewritten waits for it.
    const isHeld = outbox.ofChat(send.chatId).some((other) => heldSends.has(other.id));
    const isWaiting = send.state.kind !== "failed" && !inFlight.has(send.id) && !isHeld;
    if (isWaiting && connection().kind === "online" && !hasLiveReply(send.chatId)) {
      const { kind } = await deliver(send);
      if (kind === "refused" && !send.isFirst) void import("./lost-chat.ts").then(({ offerAgain }) => offerAgain(send.chatId));
    }
  }
}

/** True while the chat's last known message may still change by itself. */
function hasLiveReply(chatId: string): boolean {
  const last = cachedPath(chatId).at(-1);
  return last !== undefined && isLive(last.status);
}

async function lastMessageId(chatId: string): Promise<string | null> {
  const pages = await queryClient.ensureInfiniteQueryData(messagesQuery(chatId));
  return pathOf(pages).at(-1)?.id ?? null;
}

function cachedPath(chatId: string) {
  return pathOf(queryClient.getQueryData<MessagePages>(keys.messages(chatId)));
}

function accept(send: PendingSend & { parentId: string | null }, started: TurnStarted): void {
  const { id, chatId, content, settings, once, parentId, attachments } = send;
  const { replyId, autopilot, persona, knowledge } = started;
  const session = queryClient.getQueryData<SessionAnswer>(keys.session);
  const author = session?.user ? { id: session.user.id, display_name: session.user.display_name } : null;
  queryClient.setQueryData<MessagePages>(keys.messages(chatId), (pages) =>
    appendMessages(pages, [
      newQuestion({ id, chatId, parentId, content, author, attachments }),
      newReply({ id: replyId, chatId, parentId: id, modelId: once?.model_id ?? settings.model_id, autopilot, persona, knowledge }),
    ]),
  );
  if (send.isFirst) begun.set(chatId, true);
  outbox.remove(id);
  if (unwanted.has(chatId)) void askToStop(chatId);
  void afterWords().then(() => {
    begun.set(chatId, false);
    if (send.isFirst || Object.keys(settings).length > 1) void rereadSettings(chatId);
    // A visitor's first message made them a guest.
    if (session && !session.user) void refreshSession();
  });
}

onReplySettled(() => void sendQueued());

onConnectionChange(() => {
  if (connection().kind === "online") void sendQueued();
});
