/** Brings a user's list, the relational database and the rooms together where they differ, as after one of them was set back to an older state. */
import * as z from "zod/mini";
import { roomOf } from "#worker/conversation/room/stub.ts";
import { findChatRows, upsertChatRow, type ChatOwner } from "#worker/people/owned-chats/owned-chats.ts";
import { openDatabase } from "#worker/platform/db/client.ts";
import type { Env } from "#worker/platform/env.ts";
import { enqueue, enqueueAll, type Job, job } from "#worker/platform/jobs/job.ts";
import { log } from "#worker/platform/log.ts";
import { listReachableChatIds } from "#worker/conversation/search/reindex.ts";
import type { HubChat } from "#worker/conversation/room/rpc.ts";
import { hubOf } from "#worker/conversation/hub/stub.ts";
import { listSeenSince } from "#worker/people/users/users.ts";

/** Chats that one run of the job looks after, and rooms asked at once. */
const A_RUN = 60;
const ROOMS_AT_ONCE = 6;
const DAY_MS = 24 * 60 * 60_000;
/** Users found in one query, and jobs in one batch (the queue takes 100 at most). */
const PAGE = 100;

/** First the chats that the database knows above an id, then those that the list alone has. */
const Step = z.object({ name: z.enum(["database", "list"]), after: z.string() });
const Reconcile = z.object({ userId: z.string(), step: Step });
type Reconcile = z.infer<typeof Reconcile>;

/** Compares the chats of one user, some of them in a run; a repeat finds nothing left to do. */
export const reconcileJob: Job<Reconcile> = job("list.reconcile", Reconcile, reconcileList, "BULK");

async function reconcileList(env: Env, { userId, step }: Reconcile): Promise<void> {
  const hub = hubOf(env, userId);
  const db = openDatabase(env.DB);
  const page = { after: step.after, limit: A_RUN };
  const ids = step.name === "database" ? await listReachableChatIds(db, userId, page) : await hub.listedIds(page);
  const [hubChats, rows] = await Promise.all([hub.listedChats(ids), findChatRows(db, ids)]);
  let repaired = 0;
  for (let next = 0; next < hubChats.length; next += ROOMS_AT_ONCE) {
    const part = hubChats.slice(next, next + ROOMS_AT_ONCE);
    const done = await Promise.allSettled(part.map((chat) => reconcileChat(env, userId, { chat, row: rows.get(chat.id) ?? null })));
    repaired += done.filter((outcome) => outcome.status === "fulfilled" && outcome.value).length;
    // One chat that cannot be compared keeps none of the others from it.
    for (const outcome of done) if (outcome.status === "rejected") log.error("a chat could not be compared", { cause: outcome.reason });
  }
  if (repaired > 0) log.warn("a list differed from its rooms and was repaired", { userId, chats: repaired });
  const last = ids.at(-1);
  if (last !== undefined && ids.length === A_RUN) await enqueue(env, reconcileJob, { userId, step: { ...step, after: last } });
  else if (step.name === "database") await enqueue(env, reconcileJob, { userId, step: { name: "list", after: "" } });
}

type Seen = { chat: HubChat; row: ChatOwner | null };

/** Mends what differs of one chat; answers whether anything did. */
async function reconcileChat(env: Env, userId: string, { chat, row }: Seen): Promise<boolean> {
  const db = openDatabase(env.DB);
  const hub = hubOf(env, userId);
  const isDeleted = row !== null && row.deleted_at !== null;
  if (chat.state === "deleted" && row?.user_id === userId && !isDeleted) {
    // The list saw it deleted after what the database was set back to.
    await upsertChatRow(db, { ...row, id: chat.id, title: "", public: false, deleted_at: new Date().toISOString() });
    return true;
  }
  const counted = chat.stored !== null && chat.stored.bytes !== 0 ? chat.stored : null;
  if (chat.state === "deleted" && counted === null) return false;
  const copy = row && { title: row.title, public: row.public };
  const found = isDeleted || chat.state === "deleted" ? null : await roomOf(env, chat.id).reconcile(userId, { hubChat: chat, copy });
  if (found === null) {
    if (counted !== null) await hub.keepStored({ chatId: chat.id, bytes: 0, seq: counted.seq + 1 });
    if (chat.state === "listed") await (isDeleted ? hub.remove(chat.id) : hub.remove(chat.id, chat.version));
    return chat.state === "listed" || counted !== null;
  }
  if (row === null && found.owned) await upsertChatRow(db, { id: chat.id, user_id: userId, deleted_at: null, ...found.owned });
  return found.isRepaired || (row === null && found.owned !== null);
}

/** Where the walk through the people that were about goes on, and the time of their being seen at which it ends. */
const Place = z.object({ last_seen_at: z.string(), id: z.string(), until: z.string() });

/** Asks for the lists of a page of those who were about in the last day to be compared with their rooms; answers where to go on, null at their end. */
export async function enqueueReconciles(env: Env, after: string): Promise<string | null> {
  const now = Date.now();
  const first = { last_seen_at: new Date(now - DAY_MS).toISOString(), id: "", until: new Date(now).toISOString() };
  // Who is about meanwhile is seen later than that, and would be met again.
  const { until, ...from } = after === "" ? first : Place.parse(JSON.parse(after));
  const users = await listSeenSince(openDatabase(env.DB), { after: from, until, limit: PAGE });
  const jobs = users.map(({ id }) => ({ userId: id, step: { name: "database" as const, after: "" } }));
  if (jobs.length > 0) await enqueueAll(env, reconcileJob, jobs);
  return users.length < PAGE ? null : JSON.stringify({ ...users.at(-1), until });
}
