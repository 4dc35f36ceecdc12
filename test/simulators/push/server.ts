import { randomBytes, randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import { decodeProtectedHeader, errors, importJWK, jwtVerify } from "jose";
import * as z from "zod";
import { type Exchange, sendJson, startServer, type Simulator } from "../simulator.ts";
import { defineService } from "../definition.ts";

export type PushOptions = { port?: number };

const DAY_SECONDS = 24 * 60 * 60;
/** What push services must take at least (RFC 8030, 7.2), and the large ones take at most. */
const BODY_BYTES = 4_096;
const TOPIC = /^[\w-]{1,32}$/;
const URGENCIES = new Set(["very-low", "low", "normal", "high"]);
const PUSHES_MAX = 100;

type Message = { id: string; body: string; ttl: number; urgency: string; topic: string | null; at: string };
type Fault = { status: number; retryAfter: string | null; times: number };
/** `key` is the application server's that alone may send; any may where the browser named none. */
type Subscription = { key: string | null; isOver: boolean; messages: Message[]; sent: number; fault: Fault | null };

const Subscribe = z.object({ key: z.string().nullish() });
const FaultBody = z.object({
  endpoint: z.string(),
  status: z.number().nullable(),
  retryAfter: z.string().nullish(),
  times: z.number().default(1),
});

/** Starts the stand-in for browsers' push services on loopback: it takes what they take (RFC 8030, RFC 8292), and keeps it as it came. */
export async function startPush(options: PushOptions = {}): Promise<Simulator> {
  const subscriptions = new Map<string, Subscription>();
  let origin = "";

  const find = (endpoint: string) => (URL.canParse(endpoint) ? subscriptions.get(new URL(endpoint).pathname) : undefined);

  /** Why a request's proof of who sends is none; null where it is one. */
  async function doubt(authorization: string, key: string | null): Promise<string | null> {
    const [, token, sender] = /^vapid t=([\w-]+\.[\w-]+\.[\w-]+), ?k=([\w-]+)$/.exec(authorization) ?? [];
    if (token === undefined || sender === undefined) return "The Authorization header is no VAPID.";
    const point = Buffer.from(sender, "base64url");
    if (point.length !== 65 || point[0] !== 4) return "k is no uncompressed P-256 key.";
    if (key !== null && key !== sender) return "k is not the key that the browser subscribed with.";
    if (decodeProtectedHeader(token).alg !== "ES256") return "The token is not signed by ES256.";
    const coordinate = (from: number) => point.subarray(from, from + 32).toString("base64url");
    try {
      const verifier = await importJWK({ kty: "EC", crv: "P-256", x: coordinate(1), y: coordinate(33) }, "ES256");
      const { payload } = await jwtVerify(token, verifier, { audience: origin, requiredClaims: ["exp"] });
      if ((payload.exp ?? Infinity) - Date.now() / 1_000 > DAY_SECONDS) return "The token holds for longer than a day.";
      if (payload.sub !== undefined && !/^(?:mailto:|https:)/.test(payload.sub)) return "sub is no address.";
      return null;
    } catch (error) {
      if (error instanceof errors.JOSEError) return `The token is not valid: ${error.code}.`;
      throw error;
    }
  }

  async function take({ record, response, body }: Exchange): Promise<void> {
    const subscription = subscriptions.get(record.path);
    if (!subscription) return refuse(response, 404, "There is no such subscription.");
    subscription.sent += 1;
    const { fault } = subscription;
    if (fault && fault.times > 0) {
      fault.times -= 1;
      return refuse(response, fault.status, "As it was told to.", fault.retryAfter === null ? {} : { "Retry-After": fault.retryAfter });
    }
    if (subscription.isOver) return refuse(response, 410, "The browser unsubscribed.");
    const { authorization = "", ttl = "", urgency = "normal", topic, "content-encoding": encoding } = record.headers;
    if (authorization === "") return refuse(response, 401, "Say who sends, by VAPID.");
    const why = await doubt(authorization, subscription.key);
    if (why !== null) return refuse(response, 403, why);
    if (!/^\d+$/.test(ttl)) return refuse(response, 400, "TTL is missing.");
    if (!URGENCIES.has(urgency)) return refuse(response, 400, "Urgency is none.");
    if (topic !== undefined && !TOPIC.test(topic)) return refuse(response, 400, "Topic is none.");
    if (body.length > BODY_BYTES) return refuse(response, 413, "The message is too large.");
    if (body.length > 0 && encoding !== "aes128gcm") return refuse(response, 400, "Encrypt by aes128gcm.");
    const id = randomUUID();
    const { messages } = subscription;
    const older = messages.findIndex((message) => topic !== undefined && message.topic === topic);
    if (older !== -1) messages.splice(older, 1);
    messages.push({ id, body: body.toString("base64url"), ttl: Number(ttl), urgency, topic: topic ?? null, at: new Date().toISOString() });
    if (messages.length > PUSHES_MAX) messages.shift();
    response.writeHead(201, { Location: `${origin}/m/${id}`, TTL: ttl });
    response.end();
  }

  const simulator = await startServer({
    name: "push",
    port: options.port,
    routes: {},
    fallback: (exchange) => (exchange.record.method === "POST" ? take(exchange) : refuse(exchange.response, 405, "Send by POST.")),
    control: {
      "POST /control/subscriptions": ({ record, response }) => {
        const path = `/push/${randomBytes(24).toString("base64url")}`;
        const key = Subscribe.parse(record.body ?? {}).key ?? null;
        subscriptions.set(path, { key, isOver: false, messages: [], sent: 0, fault: null });
        sendJson(response, 201, { endpoint: `${origin}${path}` });
      },
      "GET /control/messages": ({ url, response }) => {
        const subscription = find(url.searchParams.get("endpoint") ?? "");
        sendJson(response, 200, { messages: subscription?.messages ?? [], sent: subscription?.sent ?? 0 });
      },
      "POST /control/unsubscribe": ({ record, response }) => {
        const subscription = find(z.object({ endpoint: z.string() }).parse(record.body).endpoint);
        if (subscription) subscription.isOver = true;
        sendJson(response, 200, {});
      },
      "POST /control/fault": ({ record, response }) => {
        const { endpoint, status, retryAfter, times } = FaultBody.parse(record.body);
        const subscription = find(endpoint);
        if (subscription) subscription.fault = status === null ? null : { status, retryAfter: retryAfter ?? null, times };
        sendJson(response, 200, {});
      },
    },
  });
  origin = simulator.url;
  return simulator;
}

function refuse(response: ServerResponse, status: number, message: string, headers: Record<string, string> = {}): void {
  sendJson(response, status, { code: status, message }, headers);
}

/** Push services; each browser's own is used all the same, and the stand-in by tests alone. */
export const push = defineService({
  start: startPush,
  // The keys are the state's own.
  vars: (url) => ({ PUSH_STAND_IN: url, VAPID_SUBJECT: "mailto:hello@polylogue.localhost" }),
  realWith: [],
  row: {
    title: "Notifications",
    simulated: null,
    real: () => "each browser's own push service, with keys of this state",
    makeReal: "VAPID_PUBLIC_KEY and VAPID_PRIVATE_KEY",
  },
  inTests: {
    vars: { VAPID_PUBLIC_KEY: "BAY7i5kxpcEHuraNiutpzSFd8_7_1ksW3vD2qT8IyBIecm3RtSAMBcvFTqwsTOffdgRRz-qxGgBkGOjEMWC9qy0" },
    canaries: { VAPID_PRIVATE_KEY: "a7gUSlbEB6qMV8Ema91GSMPHy_drK7lQHcKd64mI4-Y" },
  },
});
