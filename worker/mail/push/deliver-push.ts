import { openDatabase } from "#worker/platform/db/client.ts";
import { configOf, type Env } from "#worker/platform/env.ts";
import { log } from "#worker/platform/log.ts";
import { stubOf } from "#worker/platform/durable-objects.ts";
import type { PushContent } from "./push-content.ts";
import { sendToDevice } from "./send-to-device.ts";
import { selectDevice } from "./queries.ts";

/** What a job that sends a push asks of its user's hub: what to send, unless it need not be sent, and afterwards that it was. */
export type PushInput = { do: "take" | "delivered"; key: string; id: string; deviceId: string };

/** A user's hub, as the jobs that send pushes know it. */
export interface PushHub extends Rpc.DurableObjectBranded {
  /** What a job that sends a push is to send, null where it need not; or notes that it was delivered. */
  pushes(input: PushInput): Promise<PushContent | null>;
}

/** One notice for one device: `key` and `id` name it in the user's hub. `tries` counts those that its push service put off. */
export type PushOrder = { userId: string; deviceId: string; key: string; id: string; tries: number };

/** A push service that says nothing of when is asked again after so many seconds, each time four times as late: an hour in all. */
const AGAIN_SECONDS = 10;
const TRIES = 5;

/** Sends a notice to a device, unless it is there, was seen meanwhile, or gave way to a newer one. Answers after how many seconds to try again, null for never. */
export async function deliverPush(env: Env, { userId, deviceId, key, id, tries }: PushOrder): Promise<number | null> {
  const { push: config } = configOf(env);
  if (!config) return null;
  const content = await stubOf<PushHub>(env.USER_HUB, userId).pushes({ do: "take", key, id, deviceId });
  const device = content && (await selectDevice(openDatabase(env.DB), { userId, id: deviceId }, new Date().toISOString()));
  if (!content || !device) return null;
  const sent = await sendToDevice(env, { config, device }, content);
  if (sent.kind === "taken") await stubOf<PushHub>(env.USER_HUB, userId).pushes({ do: "delivered", key, id, deviceId });
  if (sent.kind !== "later") return null;
  if (tries < TRIES) return sent.seconds ?? AGAIN_SECONDS * 4 ** tries;
  log.warn("a push was given up", { deviceId, why: sent.why });
  return null;
}
