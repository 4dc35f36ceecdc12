import * as z from "zod/mini";
import { job } from "../jobs/job.ts";

/** Makes the embeddings that a person's facts have none of yet, or only by another model. */
export const embedFactsJob = job("embed-facts", z.object({ userId: z.string() }), async (env, { userId }) => {
  const { embedMissingFacts } = await import("./embed-missing-facts.ts");
  await embedMissingFacts(env, userId);
});
