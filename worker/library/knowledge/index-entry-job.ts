import * as z from "zod/mini";
import { openDatabase } from "#worker/platform/db/client.ts";
import type { Env } from "#worker/platform/env.ts";
import { enqueue, job } from "#worker/platform/jobs/job.ts";
import { log } from "#worker/platform/log.ts";
import { dropIndex, indexEntry, isIndexed } from "./index-sources.ts";
import { type KnowledgeRow, selectEntry } from "./queries.ts";

/** By then, in seconds, an entry's text is in its index; the job looks whether it is. */
const CHECK_SECONDS = 10;

/** Puts an entry's text into its index as it is now; of one that is gone nothing stays. */
export const indexEntryJob = job("knowledge.index", z.object({ contextId: z.string() }), async (env, { contextId: entryId }) => {
  const entry = await selectEntry(openDatabase(env.DB), entryId);
  if (!entry) return dropIndex(env, entryId);
  if (!(await isIndexed(env, entry))) await indexEntry(env, entry);
});

/** Puts an entry's text into its index at once, so the next question finds it; the job does it where that fails, or another change came between. */
export async function indexEntryNow(env: Env, entry: KnowledgeRow): Promise<void> {
  await enqueue(env, indexEntryJob, { contextId: entry.id }, { delaySeconds: CHECK_SECONDS });
  try {
    await indexEntry(env, entry);
  } catch (cause) {
    log.warn("an entry's text was not put into its index at once", { cause });
  }
}
