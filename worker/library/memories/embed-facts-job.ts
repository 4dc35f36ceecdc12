import * as z from "zod/mini";
import { job } from "#worker/platform/jobs/job.ts";
import { loadOnce } from "#worker/platform/load-once.ts";

const facts = loadOnce(() => import("./embed-missing-facts.ts"));

/** Makes the embeddings that a person's facts have none of yet, or only by another model. */
export const embedFactsJob = job("embed-facts", z.object({ userId: z.string() }), async (env, { userId }) => {
  const { embedMissingFacts } = await facts();
  await embedMissingFacts(env, userId);
});
