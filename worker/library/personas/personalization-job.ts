import * as z from "zod/mini";
import { job } from "#worker/platform/jobs/job.ts";
import { loadOnce } from "#worker/platform/load-once.ts";

const personalization = loadOnce(() => import("./refresh-personalization.ts"));

/** Makes a person's personalization again from their memory. */
export const keepPersonalizationJob = job("keep-personalization", z.object({ userId: z.string() }), async (env, { userId }) => {
  const { refreshPersonalization: keepPersonalization } = await personalization();
  await keepPersonalization(env, userId);
});
