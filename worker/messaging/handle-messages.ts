/** Works off what a person wrote in the messaging app, one message after the other, in the order in which they sent them. */
import * as z from "zod/mini";
import { toCaller } from "../auth/sessions.ts";
import { type Database, openDatabase } from "../db/client.ts";
import { configOf, type Env } from "../env.ts";
import { enqueue, job, type Job } from "../jobs/job.ts";
import { log } from "../log.ts";
import { findUser, type UserRow } from "../users/users.ts";
import { roomOf } from "../chat-room/stub.ts";
import { AppMessage } from "./app-message.ts";
import {
  claimAnswer,
  claimPerson,
  deleteWaiting,
  holdPerson,
  type MessageRow,
  selectNext,
  selectWaiting,
  updateMessage,
} from "./queries.ts";
import { settleMessage } from "./conversations.ts";
import { handleOne, type Handled } from "./handle-one.ts";
import { linkOf, type MessagingLink } from "./links.ts";
import { offer, say } from "./notices.ts";

/** Longer than one message takes, in milliseconds: a job that died is stood in for after it. */
const HOLD_MS = 3 * 60_000;
/** Seconds after which it is looked whether a job that was at it has left something. */
const LOOK_AGAIN_S = 30;
/** A message that ended its job so often is given up. */
const TRIES = 3;

const GIVEN_UP = "Something went wrong with this message, and it was not answered. Send it again in a moment.";

const Person = z.object({ userId: z.string() });
type Person = z.infer<typeof Person>;

/** Works off what a person wrote. Any number of them may come at once: one does the work. */
export const handleMessagesJob: Job<Person> = job("messaging.handle", Person, handleMessages, "READS");

async function handleMessages(env: Env, { userId }: Person): Promise<void> {
  if (!configOf(env).whatsapp) return;
  const db = openDatabase(env.DB);
  for (;;) {
    if (!(await selectNext(db, userId))) return;
    const now = Date.now();
    if (!(await claimPerson(db, userId, { now, until: now + HOLD_MS }))) {
      // Whoever is at it may die before this one.
      return enqueue(env, handleMessagesJob, { userId }, { delaySeconds: LOOK_AGAIN_S });
    }
    try {
      await workOff(env, db, userId);
    } finally {
      await holdPerson(db, userId, 0);
    }
  }
}

async function workOff(env: Env, db: Database, userId: string): Promise<void> {
  const [link, person] = await Promise.all([linkOf(db, userId), findUser(db, userId)]);
  for (;;) {
    const row = await selectNext(db, userId);
    if (!row) return;
    // Nobody is left to answer.
    if (!link || !person) await settleMessage(db, row.id, null);
    else await workOne(env, db, { row, link, person });
    await holdPerson(db, userId, Date.now() + HOLD_MS);
  }
}

type Work = { row: MessageRow; link: MessagingLink; person: UserRow };

async function workOne(env: Env, db: Database, { row, link, person }: Work): Promise<void> {
  const message = AppMessage.safeParse(JSON.parse(row.message ?? "null"));
  // What it is answered with may have gone out before its job ended.
  if (!message.success || row.state === "answering") return settleMessage(db, row.id, row.chat_id);
  const addressee = { phone: link.phone, messageId: row.id };
  if (row.tries >= TRIES) {
    if (await claimAnswer(db, row.id)) await say(env, addressee, GIVEN_UP);
    return settleMessage(db, row.id, row.chat_id);
  }
  await updateMessage(db, row.id, { tries: row.tries + 1 });
  await flushWaiting(env, db, link.userId);
  const handled: Handled = await handleOne(env, db, { message: message.data, link, person, caller: toCaller("", person) });
  if (handled.chatId !== null) await updateMessage(db, row.id, { chat_id: handled.chatId });
  if ((handled.say !== null || handled.offer !== null) && (await claimAnswer(db, row.id))) {
    if (handled.offer) await offer(env, addressee, handled.offer);
    else if (handled.say !== null) await say(env, addressee, handled.say);
  }
  await settleMessage(db, row.id, handled.chatId);
}

/** Whoever writes may be answered freely again: what waited for that goes out. */
async function flushWaiting(env: Env, db: Database, userId: string): Promise<void> {
  for (const chatId of await selectWaiting(db, userId)) {
    try {
      await roomOf(env, chatId).messaging({ kind: "flush", userId });
      await deleteWaiting(db, userId, chatId);
    } catch (cause) {
      log.warn("what waited for a person goes out with their next message", { cause });
    }
  }
}
