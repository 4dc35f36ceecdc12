import * as z from "zod/mini";
import { Ok } from "./auth.ts";
import { endpoint } from "#shared/contracts/endpoint.ts";
import { Id, Timestamp } from "#shared/entities/ids.ts";
import { PUSH_ENDPOINT_LENGTH } from "#shared/limits.ts";

const DeviceParams = z.object({ id: Id });

/** A browser that is notified by web push; `is_this` is the one that asks. */
export const PushDevice = z.object({ id: Id, name: z.string(), created_at: Timestamp, is_this: z.boolean() });
export type PushDevice = z.infer<typeof PushDevice>;

/** About what a push comes. */
export const PushKinds = z.object({
  reply: z.boolean(),
  approval: z.boolean(),
  share: z.boolean(),
  import: z.boolean(),
  schedule: z.boolean(),
});
export type PushKinds = z.infer<typeof PushKinds>;

/** What a browser's `PushSubscription` says of itself: its address, its public key on P-256 and its secret of 16 bytes, in base64url. */
const Subscription = z.object({
  endpoint: z.url("Give the subscription's address.").check(z.maxLength(PUSH_ENDPOINT_LENGTH, "The subscription's address is too long.")),
  p256dh: z.string().check(z.regex(/^B[\w-]{86}$/, "The subscription's key is none.")),
  auth: z.string().check(z.regex(/^[\w-]{22}$/, "The subscription's secret is none.")),
});

/** `replaces` is the address that the browser had before: it is notified further only where this session has that one. */
const Subscribed = z.extend(Subscription, { replaces: z.optional(z.string().check(z.maxLength(PUSH_ENDPOINT_LENGTH))) });

export const getPush = endpoint("GET", "/api/push", {
  summary: "The caller's devices that are told by web push, about what, and the key that a browser subscribes with",
  access: "account",
  response: z.object({ publicKey: z.string(), devices: z.array(PushDevice), kinds: PushKinds }),
});

export const changePushKinds = endpoint("PATCH", "/api/push", {
  summary: "Change about what a push comes, on all devices",
  access: "account",
  body: z.partial(PushKinds),
  response: z.object({ kinds: PushKinds }),
});

export const putPushDevice = endpoint("PUT", "/api/push/device", {
  summary: "Have the browser that asks be told by web push, by the subscription it made, until its session ends",
  access: "account",
  body: Subscribed,
  response: z.object({ device: PushDevice }),
});

export const deletePushDevice = endpoint("DELETE", "/api/push/devices/:id", {
  summary: "Tell a device no more",
  access: "account",
  params: DeviceParams,
  response: Ok,
});

export const testPushDevice = endpoint("POST", "/api/push/devices/:id/test", {
  summary: "Send a notification to a device, to see that it comes",
  access: "account",
  repeat: "key",
  params: DeviceParams,
  response: Ok,
});
