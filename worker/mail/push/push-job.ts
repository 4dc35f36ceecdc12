import * as z from "zod/mini";
import { enqueue, job, type Job } from "#worker/platform/jobs/job.ts";
import { loadOnce } from "#worker/platform/load-once.ts";
import type { PushOrder } from "./deliver-push.ts";

const Payload = z.object({ userId: z.string(), deviceId: z.string(), key: z.string(), id: z.string(), tries: z.number() });

const module = loadOnce(() => import("./deliver-push.ts"));

/** Sends a notice to a device, once; what its push service puts off comes again later, a few times. */
export const pushJob: Job<PushOrder> = job("push", Payload, async (env, order: PushOrder) => {
  const delaySeconds = await (await module()).deliverPush(env, order);
  if (delaySeconds !== null) await enqueue(env, pushJob, { ...order, tries: order.tries + 1 }, { delaySeconds });
});
