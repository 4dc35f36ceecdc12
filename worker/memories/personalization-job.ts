import * as z from "zod/mini";
import { job } from "../jobs/job.ts";

/** Makes a person's personalization again from their memory. */
export const keepPersonalizationJob = job("keep-personalization", z.object({ userId: z.string() }), async (env, { userId }) => {
  const { keepPersonalization } = await import("./keep-personalization.ts");
  await keepPersonalization(env, userId);
});
