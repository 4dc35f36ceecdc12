import type { BulkAnswer, BulkInput } from "#shared/contracts/chat/inbox.ts";
import { roomOf } from "#worker/chat-room/stub.ts";
import { deleteManyJob } from "#worker/chats/delete-many.ts";
import type { Env } from "#worker/env.ts";
import type { Outcome } from "#worker/app-error.ts";
import { enqueue } from "#worker/jobs/job.ts";
import { log } from "#worker/log.ts";
import { type Marked, markMany, undoMarks } from "./bulk.ts";
import { currentCursor } from "./chat-list.ts";
import { doomChats, lostAt, lostDeletions, nextDoomed, noteHeard, settleDoomed } from "./deletions.ts";
import { broadcast, notifyChanges } from "../live/live.ts";
import type { Fates } from "../rpc.ts";

export type ManyChats = {
  /** Does what is asked with many chats at once, all of it or nothing; a deletion is left to its job. */
  change(input: BulkInput): Promise<Outcome<BulkAnswer>>;
  /** Chats that a deletion still has to empty. */
  next(jobId: string, limit: number): string[];
  /** Notes what became of some chats of a deletion, and reports to the user's tabs how far it is. */
  settle(jobId: string, fates: Fates): void;
  /** Queues a deletion again whose job was lost; answers when to look again, null once it is over. */
  takeUp(jobId: string): Promise<number | null>;
  /** Takes up deletions that were begun before anything looked after them. */
  resume(): void;
};

type Deps = {
  ctx: DurableObjectState;
  env: Env;
  userId: string;
  /** Has `takeUp` called at that time, in epoch milliseconds. */
  lookAfter(jobId: string, at: number): Promise<void>;
  /** Nothing more is taken up. */
  letGo(jobId: string): void;
};

/** Work on many chats of one user. */
export function createManyChats({ ctx, env, userId, lookAfter, letGo }: Deps): ManyChats {
  const { storage } = ctx;
  const { sql } = storage;

  const queue = (jobId: string): Promise<void> => enqueue(env, deleteManyJob, { userId, jobId });

  async function begin(jobId: string): Promise<void> {
    const at = lostAt(sql, jobId);
    if (at !== null) await lookAfter(jobId, at);
    await queue(jobId);
  }

  /** What their rooms reported while they were off the list was not taken: they report it again. */
  async function refresh(chatIds: readonly string[]): Promise<void> {
    for (const chatId of chatIds) {
      try {
        await roomOf(env, chatId).reportTo(userId);
      } catch (cause) {
        log.warn("a chat that is back in the list was not read anew", { chatId, cause });
      }
    }
  }

  return {
    async change(input) {
      const before = currentCursor(sql);
      const changed = storage.transactionSync(() => changeMany(sql, input));
      if (!changed.ok) return changed;
      notifyChanges(ctx, userId, before);
      if (changed.value.job_id !== null) await begin(changed.value.job_id);
      return changed;
    },
    next: (jobId, limit) => nextDoomed(sql, jobId, limit),
    settle(jobId, fates) {
      const before = currentCursor(sql);
      const deletion = storage.transactionSync(() => settleDoomed(sql, jobId, fates));
      if (!deletion) return;
      notifyChanges(ctx, userId, before);
      const { id, done, failed, total, restored } = deletion;
      if (done + failed === total) letGo(id);
      broadcast(ctx, [{ type: "bulk.progress", cursor: String(currentCursor(sql)), job_id: id, done, failed, total }]);
      ctx.waitUntil(refresh(restored));
    },
    async takeUp(jobId) {
      const at = lostAt(sql, jobId);
      if (at === null || at > Date.now()) return at;
      noteHeard(sql, jobId);
      await queue(jobId);
      return lostAt(sql, jobId);
    },
    resume() {
      for (const jobId of lostDeletions(sql)) ctx.waitUntil(begin(jobId));
    },
  };
}

function changeMany(sql: SqlStorage, input: BulkInput): Outcome<BulkAnswer> {
  if ("undo" in input) {
    const undone = undoMarks(sql, input.undo);
    return undone ? { ok: true, value: toAnswer(undone) } : { ok: false, code: "UNDO_EXPIRED" };
  }
  const selection = "ids" in input ? { ids: [...new Set(input.ids)] } : input.filter;
  const { action } = input;
  if (action !== "delete") return { ok: true, value: toAnswer(markMany(sql, action, selection)) };
  const { ids, jobId, results, refused } = doomChats(sql, selection);
  return { ok: true, value: { results, changed: ids.length, refused, undo_token: null, job_id: jobId } };
}

function toAnswer({ ids, results, refused, token }: Marked): BulkAnswer {
  return { results, changed: ids.length, refused, undo_token: token, job_id: null };
}
