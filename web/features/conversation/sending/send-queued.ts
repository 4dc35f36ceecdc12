import { connection, onConnectionChange } from "#web/lib/connection.ts";
import { onReplySettled } from "#web/features/conversation/replies/reply-streams.ts";
import { isBeingEdited } from "./editing-locks.ts";
import { runExclusively } from "./in-turn.ts";
import { isOwn } from "./message-owner.ts";
import { type PendingSend, outbox } from "./outbox.ts";
import { deliverWaiting, hasLiveReply, isInFlight, lastShownId } from "./send-message.ts";

/** How long another tab has to send what it wrote, in milliseconds, before this one looks whether it still waits. */
const ELSEWHERE_MS = 2_000;

/** Chats whose turn is waited for. */
const waiting = new Set<string>();

/** Sends what waits for the connection, each chat's in its order, and what a closed page left on its way. */
export async function sendQueued(): Promise<void> {
  outbox.reread();
  await Promise.all(
    [
      ...new Set(
        outbox
          .all()
          .filter(isOwn)
          .map(({ chatId }) => chatId),
      ),
    ].map(drain),
  );
}

async function drain(chatId: string): Promise<void> {
  if (waiting.has(chatId)) return;
  waiting.add(chatId);
  await runExclusively(chatId, async () => {
    waiting.delete(chatId);
    while (connection().kind === "online" && !hasLiveReply(chatId)) {
      if ((await deliverNext(chatId)) !== "sent") return;
    }
  });
}

/** Sends a message that failed or waits, after all that stands before it in its chat, whatever is known of the connection. */
export async function retry({ id, chatId }: PendingSend): Promise<void> {
  const line = ownLine(chatId);
  const asked = line.slice(0, line.findIndex((send) => send.id === id) + 1).filter(({ state }) => state.kind === "failed");
  // Whoever asks for it has what is shown by now in front of them.
  const follows = lastShownId(chatId);
  for (const send of asked) outbox.update(send.id, { follows, state: { kind: send === line[0] ? "sending" : "queued" } });
  await runExclusively(chatId, async () => {
    // One that went through shows that there is a connection.
    while ((await deliverNext(chatId)) === "sent" && !hasLiveReply(chatId)) continue;
  });
  await sendQueued();
}

/** An earlier message of the chat that is still here goes first, or keeps the others waiting: each answers the one before it. */
async function deliverNext(chatId: string): Promise<"sent" | "none" | "unsent"> {
  // As it is by now: another tab may have rewritten it, sent it or removed it.
  outbox.reread();
  const [next] = ownLine(chatId);
  if (!next || next.state.kind === "failed" || isInFlight(next.id)) return "none";
  if (isBeingEdited(next)) {
    lookAgain(next.indexed?.until);
    return "none";
  }
  const { kind } = await deliverWaiting(next);
  if (kind === "refused" && !next.isFirst)
    void import("./lost-chat.ts").then(({ offerUnsentIfChatDeleted }) => offerUnsentIfChatDeleted(chatId));
  return kind === "sent" ? "sent" : "unsent";
}

function ownLine(chatId: string): PendingSend[] {
  return outbox.ofChat(chatId).filter(isOwn);
}

let timer: ReturnType<typeof setTimeout> | undefined;

function lookAgain(at = Date.now()): void {
  clearTimeout(timer);
  timer = setTimeout(() => void sendQueued(), Math.max(at - Date.now(), 0) + ELSEWHERE_MS);
}

outbox.onElsewhere(() => lookAgain());

onReplySettled(() => void sendQueued());

onConnectionChange(() => {
  if (connection().kind === "online") void sendQueued();
});
