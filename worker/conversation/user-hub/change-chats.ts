/** What a user does with their chats in the list, one or many at once, as their tabs learn of it. */
import type { BulkAnswer, BulkInput } from "#shared/contracts/chat/inbox.ts";
import { roomOf } from "#worker/conversation/room/stub.ts";
import { deleteManyJob } from "#worker/conversation/chats/delete-many.ts";
import type { Env } from "#worker/platform/env.ts";
import type { Outcome } from "#worker/platform/errors/app-error.ts";
import { enqueue } from "#worker/platform/jobs/job.ts";
import { log } from "#worker/platform/log.ts";
import { type Marked, markMany, undoMarks } from "./list/bulk.ts";
import type { Chat } from "#shared/entities/chat.ts";
import type { Marks } from "#worker/people/hub/rpc.ts";
import { currentCursor, findChat, markChat } from "./list/chat-list.ts";
import {
  markForDeletion,
  deletionLostAt,
  claimLostDeletions,
  nextToDelete,
  noteDeletionProgress,
  settleDeletions,
} from "./list/deletions.ts";
import { broadcast, notifyChanges } from "./live/live.ts";
import type { DeletionOutcomes } from "#worker/conversation/hub/rpc.ts";

type Marking = { userId: string; chatId: string; marks: Marks };

/** Sets the user's own marks, notifies their tabs and returns the row, null for an unknown chat. */
export function markAndNotify(ctx: DurableObjectState, { userId, chatId, marks }: Marking): Outcome<Chat | null> {
  const { sql } = ctx.storage;
  const marked = markChat(sql, chatId, marks);
  if (!marked.ok) return marked;
  const chat = findChat(sql, userId, chatId);
  if (marked.value !== null && chat) broadcast(ctx, [{ type: "chat.changed", cursor: String(marked.value), chat }]);
  return { ok: true, value: chat };
}

export type ManyChats = {
  /** Does what is asked with many chats at once, all of it or nothing; a deletion is left to its job. */
  change(input: BulkInput): Promise<Outcome<BulkAnswer>>;
  /** Chats that a deletion still has to empty. */
  next(jobId: string, limit: number): string[];
  /** Notes what became of some chats of a deletion, and reports to the user's tabs how far it is. */
  settle(jobId: string, fates: DeletionOutcomes): void;
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
    const at = deletionLostAt(sql, jobId);
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
    next: (jobId, limit) => nextToDelete(sql, jobId, limit),
    settle(jobId, fates) {
      const before = currentCursor(sql);
      const deletion = storage.transactionSync(() => settleDeletions(sql, jobId, fates));
      if (!deletion) return;
      notifyChanges(ctx, userId, before);
      const { id, done, failed, total, restored } = deletion;
      if (done + failed === total) letGo(id);
      broadcast(ctx, [{ type: "bulk.progress", cursor: String(currentCursor(sql)), job_id: id, done, failed, total }]);
      ctx.waitUntil(refresh(restored));
    },
    async takeUp(jobId) {
      const at = deletionLostAt(sql, jobId);
      if (at === null || at > Date.now()) return at;
      noteDeletionProgress(sql, jobId);
      await queue(jobId);
      return deletionLostAt(sql, jobId);
    },
    resume() {
      for (const jobId of claimLostDeletions(sql)) ctx.waitUntil(begin(jobId));
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
  const { ids, jobId, results, refused } = markForDeletion(sql, selection);
  return { ok: true, value: { results, changed: ids.length, refused, undo_token: null, job_id: jobId } };
}

function toAnswer({ ids, results, refused, token }: Marked): BulkAnswer {
  return { results, changed: ids.length, refused, undo_token: token, job_id: null };
}
