/** Works off what a person wrote in the messaging app, one message after the other, in the order in which they sent them. */
import * as z from "zod/mini";
import { blockedText, ERRORS } from "#shared/errors.ts";
import { toCaller } from "#worker/people/sessions/sessions.ts";
import { type Database, openDatabase } from "#worker/platform/db/client.ts";
import { configOf, type Env } from "#worker/platform/env.ts";
import { enqueue, job, type Job } from "#worker/platform/jobs/job.ts";
import { log } from "#worker/platform/log.ts";
import { findUser, type UserRow } from "#worker/people/users/users.ts";
import { roomOf } from "#worker/conversation/room/stub.ts";
import { isWeeklyAnswerDue } from "./answer-stranger.ts";
import { AppMessage } from "./app-message.ts";
import {
  claimAnswer,
  deleteWaiting,
  type MessageRow,
  selectNext,
  selectWaiting,
  updateMessage,
  claimPerson,
  extendPersonLease,
} from "./queries.ts";
import { settleMessage } from "./conversations.ts";
import { type Given, handleMessage, storeWithoutFile } from "./handle-one.ts";
import { linkOf, type MessagingLink } from "#worker/people/messaging-number/messaging-number.ts";
import { sendList, sendText } from "#worker/platform/clients/whatsapp/send.ts";
import type { GraphAnswer, GraphFailure } from "#worker/platform/clients/whatsapp/graph.ts";
import { sleep } from "#worker/conversation/turn/sleep.ts";

/** What the product says in the messaging app by itself. */

/** Milliseconds until what was not taken is tried again. */
const AGAIN_MS = [500, 3_000];

/** Whom it is for, and the message that it is about. */
type Addressee = { phone: string; messageId: string };

const Row = z.object({ id: z.string(), title: z.string(), description: z.optional(z.string()) });

/** What is said, or offered as a list to choose from; `isLost` where it is that a message's file could not be fetched. */
const Notice = z.object({
  say: z.nullable(z.string()),
  offer: z.nullable(z.object({ text: z.string(), button: z.string(), rows: z.array(Row) })),
  isLost: z.optional(z.boolean()),
});
type Notice = z.infer<typeof Notice>;

/** Says something by itself; what the app does not take after a few tries is in the log. */
async function sendAppNotice(env: Env, { phone, messageId }: Addressee, { say, offer }: Notice): Promise<GraphAnswer<string>> {
  const to = { to: phone };
  return persist(() => (offer ? sendList(env, { to, ...offer }) : sendText(env, { to, context: messageId, text: say ?? "" })));
}

/** What may have arrived is not said again. */
async function persist(send: () => Promise<GraphAnswer<string>>): Promise<GraphAnswer<string>> {
  let sent = await send();
  for (const wait of AGAIN_MS) {
    if (sent.ok || !isWorthMore(sent)) break;
    await sleep(wait);
    sent = await send();
  }
  if (!sent.ok) log.warn("a notice was not accepted by the messaging app", { code: sent.code });
  return sent;
}

function isWorthMore({ isPassing, isUncertain }: GraphFailure): boolean {
  return isPassing && !isUncertain;
}

/** Seconds after which it is looked whether a job that was at it has left something. */
const LOOK_AGAIN_S = 30;
/** A message that ended its job so often is put off. */
const TRIES = 3;
/** Seconds that a message is put off for what passes, one after the other; after them it is given up. */
const DELAYS_S = [30, 120, 600, 3_600];

const GIVEN_UP = "Something went wrong with this message, and it was not answered. Send it again in a moment.";

const Person = z.object({ userId: z.string() });
type Person = z.infer<typeof Person>;

/** Works off what a person wrote. Any number of them may come at once: one does the work. */
export const handleMessagesJob: Job<Person> = job("messaging.handle", Person, handleMessages, "READS");

async function handleMessages(env: Env, { userId }: Person): Promise<void> {
  if (!configOf(env).whatsapp) return;
  const db = openDatabase(env.DB);
  for (;;) {
    if (!(await selectNext(db, userId, Date.now()))) return;
    const hold = await claimPersonLease(db, userId);
    // Whoever is at it may die before this one.
    if (!hold) return enqueue(env, handleMessagesJob, { userId }, { delaySeconds: LOOK_AGAIN_S });
    try {
      await workOff(env, db, { userId, hold });
    } finally {
      await hold.release();
    }
  }
}

async function workOff(env: Env, db: Database, { userId, hold }: { userId: string; hold: Hold }): Promise<void> {
  const [link, person] = await Promise.all([linkOf(db, userId), findUser(db, userId)]);
  for (;;) {
    const row = await selectNext(db, userId, Date.now());
    if (!row) return;
    // Nobody is left to answer.
    if (!link || !person) await settleMessage(db, row.id, null);
    else if (person.blocked_at !== null) await refuseBlocked(env, db, { row, link });
    else await workOne(env, db, { row, link, person, hold });
    if (!(await hold.renew())) return;
  }
}

/** The holder of a blocked account learns that it is, as seldom as a stranger, and nothing else comes of what they write. */
async function refuseBlocked(env: Env, db: Database, { row, link }: { row: MessageRow; link: MessagingLink }): Promise<void> {
  const { operator } = configOf(env).mail;
  await settleMessage(db, row.id, row.chat_id);
  if (!(await isWeeklyAnswerDue(env, `messaging-blocked:${link.userId}`))) return;
  const say = operator === undefined ? ERRORS.ACCOUNT_BLOCKED.message : blockedText(operator);
  await sendAppNotice(env, { phone: link.phone, messageId: row.id }, { say, offer: null });
}

type Work = { row: MessageRow; link: MessagingLink; person: UserRow; hold: Hold };

async function workOne(env: Env, db: Database, { row, link, person, hold }: Work): Promise<void> {
  const message = AppMessage.safeParse(JSON.parse(row.message ?? "null"));
  // What it is answered with may have gone out before its job ended.
  if (!message.success || row.state === "answering") return settleMessage(db, row.id, row.chat_id);
  const given: Given = { message: message.data, link, person, caller: toCaller("", person), renew: hold.renew };
  if (row.notice !== null) return sendNotice(env, db, { row, given, notice: Notice.parse(JSON.parse(row.notice)) });
  if (row.tries >= TRIES) {
    if (await putOff(env, db, row)) return;
    return sendNotice(env, db, { row, given, notice: { say: GIVEN_UP, offer: null } });
  }
  await updateMessage(db, row.id, { tries: row.tries + 1 });
  await flushWaiting(env, db, link.userId);
  const { chatId, say, offer, outcome } = await handleMessage(env, db, given);
  if (outcome === "taken over" || (outcome === "later" && (await putOff(env, db, row)))) return;
  if (chatId !== null) await updateMessage(db, row.id, { chat_id: chatId });
  if (say === null && offer === null) return settleMessage(db, row.id, chatId);
  const notice = { say, offer, ...(outcome === "later" && { isLost: true }) };
  await sendNotice(env, db, { row: { ...row, chat_id: chatId }, given, notice });
}

/** Says what there is to say of a message, which is settled then; what the app does not take now is said later. */
async function sendNotice(
  env: Env,
  db: Database,
  { row, given, notice }: { row: MessageRow; given: Given; notice: Notice },
): Promise<void> {
  let chatId = row.chat_id;
  if (await claimAnswer(db, row.id, JSON.stringify(notice))) {
    const sent = await sendAppNotice(env, { phone: given.link.phone, messageId: row.id }, notice);
    if (!sent.ok && sent.isPassing && !sent.isUncertain && (await putOff(env, db, row))) return;
    if (!sent.ok && notice.isLost === true) chatId = await storeWithoutFile(env, db, given);
  }
  await settleMessage(db, row.id, chatId);
}

/** Has a message tried again later; false where it was put off often enough. What was sent after it does not wait for it. */
async function putOff(env: Env, db: Database, { id, user_id: userId, delays }: MessageRow): Promise<boolean> {
  const seconds = DELAYS_S[delays];
  if (seconds === undefined) return false;
  await updateMessage(db, id, { state: "waiting", tries: 0, delays: delays + 1, due_at: Date.now() + seconds * 1_000 });
  await enqueue(env, handleMessagesJob, { userId }, { delaySeconds: seconds + 1 });
  return true;
}

/** Whoever writes may be answered freely again: what waited for that goes out. */
async function flushWaiting(env: Env, db: Database, userId: string): Promise<void> {
  for (const chatId of await selectWaiting(db, userId)) {
    try {
      const { kind } = await roomOf(env, chatId).messaging({ kind: "flush", userId });
      if (kind === "gone") await deleteWaiting(db, userId, chatId);
    } catch (cause) {
      log.warn("what waited for a person goes out with their next message", { cause });
    }
  }
}

/** Longer than one message takes, in milliseconds: a job that died is stood in for after it. */
const HOLD_MS = 3 * 60_000;

/** The right to work off what a person wrote; one job has it at a time. */
type Hold = {
  /** Keeps it for longer; false where it ran out and another job has it. */
  renew(): Promise<boolean>;
  release(): Promise<void>;
};

/** Takes that right; null where another job has it. */
export async function claimPersonLease(db: Database, userId: string): Promise<Hold | null> {
  const now = Date.now();
  let leaseUntil = now + HOLD_MS;
  if (!(await claimPerson(db, userId, { now, until: leaseUntil }))) return null;
  return {
    async renew() {
      const until = Math.max(leaseUntil, Date.now() + HOLD_MS);
      const isOwn = await extendPersonLease(db, userId, { held: leaseUntil, until });
      if (isOwn) leaseUntil = until;
      return isOwn;
    },
    async release() {
      await extendPersonLease(db, userId, { held: leaseUntil, until: 0 });
    },
  };
}
