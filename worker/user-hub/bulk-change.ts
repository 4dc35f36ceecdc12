import type { BulkAnswer, BulkWish } from "#shared/contracts/inbox.ts";
import type { Outcome } from "../http/app-error.ts";
import { type Marked, markMany, undoMarks } from "./bulk.ts";
import { doomChats } from "./deletions.ts";

/** Does what is asked with many chats at once, all of it or nothing; a deletion is left to its job. */
export function changeMany(storage: DurableObjectStorage, wish: BulkWish): Outcome<BulkAnswer> {
  const { sql } = storage;
  return storage.transactionSync(() => {
    if ("undo" in wish) {
      const undone = undoMarks(sql, wish.undo);
      return undone ? { ok: true, value: answer(undone) } : { ok: false, code: "UNDO_EXPIRED" };
    }
    const selection = "ids" in wish ? { ids: [...new Set(wish.ids)] } : { view: wish.filter.view };
    const { action } = wish;
    if (action !== "delete") return { ok: true, value: answer(markMany(sql, action, selection)) };
    const { ids, jobId, results, refused } = doomChats(sql, selection);
    return { ok: true, value: { results, changed: ids.length, refused, undo_token: null, job_id: jobId } };
  });
}

function answer({ ids, results, refused, token }: Marked): BulkAnswer {
  return { results, changed: ids.length, refused, undo_token: token, job_id: null };
}
