/** What fails again and again: one room that answers nothing must not keep all the rest of an account. */
import { eraseChat } from "../chats/delete-chat.ts";
import { roomOf } from "../chat-room/stub.ts";
import type { Database } from "../db/client.ts";
import type { Env } from "../env.ts";
import { log } from "../log.ts";
import { type Deletion, deleteFailing, insertFailing } from "./queries.ts";

/** A piece is tried so often before it goes on without what fails in it. */
const ATTEMPTS = 3;
/** With more than this, it is no room that fails: the deletion waits. */
const FAILING_MAX = 200;
const AT_ONCE = 6;

export type Place = { env: Env; db: Database; deletion: Deletion; attempt: number };

const ACTS = {
  /** A chat of the person's own goes. */
  chats: ({ env, db, deletion }: Place, chatId: string) => eraseChat(env, db, { ownerId: deletion.user_id, chatId }),
  /** What they wrote in somebody else's stays, without them. */
  others: async ({ env, deletion: { user_id: userId, addresses } }: Place, chatId: string) => {
    await roomOf(env, chatId).forgetPerson({ userId, addresses });
  },
} as const;

/** Does its part in each of these chats; what fails again and again is noted for the end. */
export async function inEach(place: Place, part: keyof typeof ACTS, chatIds: readonly string[]): Promise<void> {
  const { db, deletion, attempt } = place;
  const failed: { id: string; cause: unknown }[] = [];
  for (let next = 0; next < chatIds.length; next += AT_ONCE) {
    const these = chatIds.slice(next, next + AT_ONCE);
    const results = await Promise.allSettled(these.map((id) => ACTS[part](place, id)));
    results.forEach((result, index) => {
      const id = these[index];
      if (result.status === "rejected" && id !== undefined) failed.push({ id, cause: result.reason });
    });
  }
  const [first] = failed;
  if (!first) return;
  if (attempt < ATTEMPTS || deletion.failing.length + failed.length > FAILING_MAX) throw first.cause;
  log.error("a deletion goes on without some rooms", { part, count: failed.length, cause: first.cause });
  await insertFailing(
    db,
    deletion.user_id,
    failed.map(({ id }) => `${part} ${id}`),
  );
}

/** Takes up what failed. Throws while any of it still does: the job is seen by administrators, and comes again. */
export async function takeUpFailing(place: Place): Promise<void> {
  const { db, deletion } = place;
  const failures: unknown[] = [];
  for (const name of deletion.failing) {
    const [part, chatId = ""] = name.split(" ");
    try {
      await ACTS[part === "chats" ? "chats" : "others"](place, chatId);
      await deleteFailing(db, deletion.user_id, name);
    } catch (cause) {
      failures.push(cause);
    }
  }
  if (failures.length > 0) throw new Error(`${failures.length} rooms could not be emptied of a deleted account.`, { cause: failures[0] });
}
