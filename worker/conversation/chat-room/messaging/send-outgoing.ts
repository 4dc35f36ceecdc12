/** What a room sends by the messaging app: each message is stored first, and goes out once whatever restarts. */
import { type GraphFailure, type GraphAnswer } from "#worker/platform/clients/whatsapp/graph.ts";
import { sendButtons, sendText, sendWaiting } from "#worker/platform/clients/whatsapp/send.ts";
import { openDatabase } from "#worker/platform/db/client.ts";
import type { Env } from "#worker/platform/env.ts";
import { log } from "#worker/platform/log.ts";
import { linkOf, mayAnswer, type MessagingLink } from "#worker/people/messaging-number/messaging-number.ts";
import { levelOf, refuse } from "../access/access.ts";
import { readChat } from "../chat.ts";
import { isCreated } from "../migrations.ts";
import { waitingCalls } from "../messages/tool-rounds.ts";
import {
  claimOutgoing,
  deleteOutgoing,
  deleteUnsent,
  failLaterParts,
  findOutgoing,
  nextOutgoing,
  type OutRow,
  parkMessages,
  setOutgoing,
} from "./outgoing-rows.ts";
import type { MessagingApp } from "#worker/conversation/features.ts";

/** How long the app has to report that it took a message, where its answer was lost, before the message is sent again, in milliseconds. */
const UNSURE_MS = 60_000;
const UNSURE_TRIES = 3;
/** Milliseconds until a message that was not taken is tried again, by tries. */
const AGAIN_MS = [5_000, 30_000, 2 * 60_000, 10 * 60_000, 3_600_000, 3 * 3_600_000];
/** The window has closed (Cloud API's errors). */
const CLOSED = 131047;

const TITLE_LENGTH = 60;
const UNSURE = "It may or may not have arrived: the messaging app did not answer.";
/** Why nothing goes to an account that has no number any more. */
export const UNLINKED = "The number that it was for is no longer linked.";

type Deps = {
  env: Env;
  storage: DurableObjectStorage;
  app: Pick<MessagingApp, "noteSent" | "noteWaiting">;
  /** Notifies the readers' tabs; what is notable makes the chat unread. */
  notify(isNotable: boolean): void;
};

/** Sends what is to go out, each person's in its order; answers when to come again, null where nothing is left. */
export async function sendOutgoingMessages({ env, storage, app, notify }: Deps): Promise<number | null> {
  const { sql } = storage;
  const db = openDatabase(env.DB);

  // Whoever cannot be reached now holds up nobody else.
  const dueByPerson = new Map<string, number>();
  for (;;) {
    const row = isCreated(sql) ? nextOutgoing(sql, dueByPerson.keys()) : null;
    if (!row) return dueByPerson.size === 0 ? null : Math.min(...dueByPerson.values());
    const at = dueAt(row);
    if (at > Date.now()) dueByPerson.set(row.userId, at);
    else await sendOne(row);
  }

  async function sendOne(row: OutRow): Promise<void> {
    const link = await linkOf(db, row.userId);
    if (!isCreated(sql)) return;
    if (!link) return fail(row, UNLINKED);
    if (refuse(levelOf(sql, row.userId), "read")) {
      deleteUnsent(sql, row.userId);
      return notify(false);
    }
    const { body } = row;
    if (body.type === "ask" && !waitingCalls(sql).some(({ call }) => call.id === body.callId)) {
      return deleteOutgoing(sql, row.id);
    }
    if (body.type !== "template" && !mayAnswer(link)) return park(row);
    claimOutgoing(sql, row.id, Date.now());
    const sent = await post(row, link);
    if (!isCreated(sql)) return;
    if (sent.ok) {
      // The app may have reported already that it arrived.
      const { state } = findOutgoing(sql, row.id) ?? row;
      setOutgoing(sql, row.id, { state: state === "sending" ? "sent" : state, sentId: sent.value });
      notify(false);
      return remember(row, sent.value);
    }
    return refused(row, sent);
  }

  function post(row: OutRow, link: MessagingLink): Promise<GraphAnswer<string>> {
    const { id: chatId, title } = readChat(sql);
    const outgoing = { to: { to: link.phone }, context: row.context ?? undefined, reference: `${chatId}/${row.id}` };
    const { body } = row;
    if (body.type === "text") return sendText(env, { ...outgoing, text: body.text });
    if (body.type === "template") return sendWaiting(env, { ...outgoing, title: templateTitle(title) });
    const place = `${chatId}/${body.token}`;
    const buttons = [
      { id: `approve/${place}`, title: "Approve" },
      { id: `discard/${place}`, title: "Discard" },
    ];
    return sendButtons(env, { ...outgoing, text: body.text, buttons });
  }

  async function refused(row: OutRow, failure: GraphFailure): Promise<void> {
    // The app has reported already what became of it.
    if (findOutgoing(sql, row.id)?.state !== "sending") return;
    if (failure.code === CLOSED && row.body.type !== "template") return park(row);
    // The app may still report that it took it.
    if (failure.isUncertain) return row.tries < UNSURE_TRIES ? undefined : fail(row, UNSURE);
    if (!failure.isPassing || AGAIN_MS[row.tries] === undefined) return fail(row, failure.message);
    setOutgoing(sql, row.id, { state: "queued" });
  }

  function fail(row: OutRow, error: string): void {
    storage.transactionSync(() => {
      setOutgoing(sql, row.id, { state: "failed", error });
      failLaterParts(sql, row, error);
    });
    notify(true);
  }

  /** Lets it wait until its reader, who is notified once, writes again. */
  async function park(row: OutRow): Promise<void> {
    await app.noteWaiting(db, { userId: row.userId, chatId: readChat(sql).id });
    if (!isCreated(sql)) return;
    const now = findOutgoing(sql, row.id)?.state;
    if (now === "queued" || now === "sending") storage.transactionSync(() => parkMessages(sql, row));
    notify(false);
  }

  /** With it an answer finds this chat. */
  async function remember(row: OutRow, messageId: string): Promise<void> {
    try {
      await app.noteSent(db, { id: messageId, userId: row.userId, chatId: readChat(sql).id });
    } catch (cause) {
      log.warn("an answer to this message will not be known to be one", { cause });
    }
  }
}

/** When one that was tried is tried again, in epoch milliseconds. */
function dueAt({ state, triedAt, tries }: OutRow): number {
  if (state === "sending") return (triedAt ?? 0) + UNSURE_MS;
  return tries === 0 ? 0 : (triedAt ?? 0) + (AGAIN_MS[tries - 1] ?? 0);
}

/** A template's parameter takes neither line ends nor several blanks, nor may it be empty. */
function templateTitle(title: string): string {
  return title.replaceAll(/\s+/g, " ").trim().slice(0, TITLE_LENGTH).toWellFormed() || "New Chat";
}
