/** What the mail service reports of mails that it sent: bounces and complaints come back to their chat. */
import type { Hono } from "hono";
import * as z from "zod/mini";
import { BYTES_PER_CHARACTER } from "#shared/limits.ts";
import { AppError } from "#worker/platform/errors/app-error.ts";
import { type AppContext, configOf, type Env } from "#worker/platform/env.ts";
import { withReportBody } from "#worker/platform/http/read-report.ts";
import { addressOf, handleBounce } from "./handle-bounce.ts";
import type { MailReturn } from "#worker/mail/chat-address/room-mail.ts";

const PATH = "/api/mail/webhook";
/** Characters of an event; they hold no mail. */
const EVENT_LENGTH = 100_000;

const KINDS: Record<string, MailReturn["kind"]> = {
  "email.bounced": "bounced",
  "email.failed": "bounced",
  "email.suppressed": "bounced",
  "email.complained": "complained",
};

const Event = z.object({
  type: z.string(),
  data: z.object({
    email_id: z.string(),
    from: z.string(),
    to: z.union([
      z.array(z.string()),
      z.pipe(
        z.string(),
        z.transform((one) => [one]),
      ),
    ]),
    bounce: z.optional(z.nullable(z.object({ type: z.optional(z.string()), message: z.optional(z.string()) }))),
  }),
});

/** Takes the mail service's events. They come from no page of ours, so this stands before the check of the Origin; their signature is the proof. */
export function mailWebhook(app: Hono<AppContext>): void {
  app.post(PATH, async (c) => {
    const { webhookSecret } = configOf(c.env).mail.resend;
    if (webhookSecret === undefined) throw new AppError("NOT_FOUND");
    return withReportBody(c.req.raw, EVENT_LENGTH * BYTES_PER_CHARACTER, async (bytes) => {
      const body = new TextDecoder().decode(bytes);
      const header = (name: string) => c.req.header(`svix-${name}`) ?? c.req.header(`webhook-${name}`) ?? "";
      const signed = { id: header("id"), timestamp: header("timestamp"), signatures: header("signature"), body };
      if (body.length > EVENT_LENGTH || !(await isSignedWebhook(webhookSecret, signed, Date.now()))) throw new AppError("UNAUTHENTICATED");
      await takeEvent(c.env, body);
      return c.json({ ok: true });
    });
  });
}

async function takeEvent(env: Env, body: string): Promise<void> {
  const event = Event.safeParse(JSON.parse(body));
  const kind = event.success ? KINDS[event.data.type] : undefined;
  // Of what is of no use here, or of a shape to come, the service must not send it again.
  if (!event.success || !kind) return;
  const { email_id: providerId, from, to, bounce } = event.data.data;
  const isForGood = kind === "complained" || !/transient|temporary|undetermined/i.test(bounce?.type ?? "");
  const addresses = to.length === 1 ? to.map(addressOf) : [];
  await handleBounce(env, { sender: from, kind, providerId, messageId: null, addresses, isForGood, reason: bounce?.message ?? null });
}

/** How much a webhook's clock may differ, in seconds. */
const TOLERANCE_S = 5 * 60;

type Signed = { id: string; timestamp: string; signatures: string; body: string };

/** True for a webhook that the holder of the secret signed within the last five minutes (Standard Webhooks, email.md, C). */
export async function isSignedWebhook(secret: string, { id, timestamp, signatures, body }: Signed, nowMs: number): Promise<boolean> {
  const seconds = /^\d{1,12}$/.test(timestamp) ? Number(timestamp) : Number.NaN;
  if (id === "" || !(Math.abs(nowMs / 1_000 - seconds) <= TOLERANCE_S)) return false;
  const bytes = toBytes(secret.replace(/^whsec_/, ""));
  // A secret that is no base64 proves nothing: any other key in its place would be known to all.
  if (!bytes) return false;
  const key = await crypto.subtle.importKey("raw", bytes, HMAC, false, ["verify"]);
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${body}`);
  for (const signature of signatures.split(" ").slice(0, 10)) {
    const given = signature.startsWith("v1,") ? toBytes(signature.slice(3)) : null;
    // `verify` takes the same time wherever they differ.
    if (given && (await crypto.subtle.verify("HMAC", key, given, signed))) return true;
  }
  return false;
}

const HMAC = { name: "HMAC", hash: "SHA-256" };

function toBytes(base64: string): Uint8Array<ArrayBuffer> | null {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64) || base64.length % 4 === 1) return null;
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}
