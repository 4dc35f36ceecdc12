import * as z from "zod/mini";
import { openDatabase } from "../db/client.ts";
import { job } from "../jobs/job.ts";
import { dropIndex, indexEntry } from "./index-sources.ts";
import { selectEntry } from "./queries.ts";

/** Puts an entry's text into its index as it is now; of one that is gone nothing stays. */
export const indexEntryJob = job("knowledge.index", z.object({ contextId: z.string() }), async (env, { contextId }) => {
  const entry = await selectEntry(openDatabase(env.DB), contextId);
  if (entry) await indexEntry(env, entry);
  else await dropIndex(env, contextId);
});
