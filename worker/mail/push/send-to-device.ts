import { base64url } from "jose";
import { type Pushed, sendPush } from "#worker/platform/clients/push/send-push.ts";
import { openDatabase } from "#worker/platform/db/client.ts";
import type { Env } from "#worker/platform/env.ts";
import { log } from "#worker/platform/log.ts";
import type { PushConfig } from "#worker/platform/config/push.ts";
import { removeDevice } from "./devices.ts";
import type { PushContent } from "./push-content.ts";
import type { PushDeviceRow } from "./queries.ts";

const HOUR_SECONDS = 60 * 60;
/**
 * How long a push service keeps what it cannot deliver, in seconds, and how much of a phone's battery it is worth. What says what somebody
 * wrote or is called waits for a night at most: it still comes to who has signed out of a browser that was closed.
 */
const MANNER = {
  reply: { ttl: 8 * HOUR_SECONDS, urgency: "normal" },
  approval: { ttl: 24 * HOUR_SECONDS, urgency: "high" },
  share: { ttl: 8 * HOUR_SECONDS, urgency: "normal" },
  import: { ttl: 8 * HOUR_SECONDS, urgency: "low" },
  schedule: { ttl: 8 * HOUR_SECONDS, urgency: "normal" },
  test: { ttl: 60, urgency: "high" },
} as const;
const TOPIC_LENGTH = 32;

/** Sends a notification to one device; a device that gets none any more is forgotten. */
export async function sendToDevice(
  env: Env,
  { config, device }: { config: PushConfig; device: PushDeviceRow },
  content: PushContent,
): Promise<Pushed> {
  const { ttl, urgency } = MANNER[content.kind];
  const sent = await sendPush(env, config, device, { text: JSON.stringify(content), ttl, urgency, topic: await topicOf(content.tag) });
  if (sent.kind === "gone") await removeDevice(env, openDatabase(env.DB), { userId: device.user_id, id: device.id });
  if (sent.kind === "refused") log.warn("a push was refused", { deviceId: device.id, why: sent.why });
  return sent;
}

/** A name that says nothing to the push service: of the same tag the same. */
async function topicOf(tag: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(tag));
  return base64url.encode(new Uint8Array(digest)).slice(0, TOPIC_LENGTH);
}
