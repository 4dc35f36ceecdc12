/** What the messaging app sends: signed over its bytes, stored once, and worked off by a job. */
import type { Hono } from "hono";
import { AppError } from "#worker/platform/errors/app-error.ts";
import { openDatabase } from "#worker/platform/db/client.ts";
import { type AppContext, configOf } from "#worker/platform/env.ts";
import { withReportBody } from "#worker/platform/http/read-report.ts";
import { storeWebhookPost } from "./store-webhook-post.ts";

const PATH = "/api/whatsapp/webhook";
/** Meta's posts have 3 MB at most. */
const BODY_BYTES = 3 * 1024 * 1024;
const HMAC = { name: "HMAC", hash: "SHA-256" };

/** Takes what the app sends. It comes from no page of ours, so this stands before the check of the Origin; the signature is the proof. */
export function messagingWebhook(app: Hono<AppContext>): void {
  app.get(PATH, async (c) => {
    const { whatsapp } = configOf(c.env);
    if (!whatsapp) throw new AppError("NOT_FOUND");
    const { "hub.mode": mode, "hub.verify_token": token = "", "hub.challenge": challenge = "" } = c.req.query();
    if (mode !== "subscribe" || !(await isSame(whatsapp.verifyToken, token))) throw new AppError("FORBIDDEN");
    return c.text(challenge);
  });

  app.post(PATH, async (c) => {
    const { whatsapp } = configOf(c.env);
    if (!whatsapp) throw new AppError("NOT_FOUND");
    return withReportBody(c.req.raw, BODY_BYTES, async (bytes) => {
      if (!(await isSigned(whatsapp.appSecret, bytes, c.req.header("x-hub-signature-256") ?? ""))) throw new AppError("UNAUTHENTICATED");
      await storeWebhookPost(c.env, openDatabase(c.env.DB), toJson(bytes));
      return c.json({ ok: true });
    });
  });
}

/** True for bytes that the holder of the secret signed; `verify` takes the same time wherever they differ. */
async function isSigned(secret: string, bytes: Uint8Array<ArrayBuffer>, header: string): Promise<boolean> {
  const digits = /^sha256=([0-9a-f]{64})$/i.exec(header)?.[1];
  if (digits === undefined) return false;
  const given = Uint8Array.from(digits.match(/../g) ?? [], (two) => Number.parseInt(two, 16));
  return crypto.subtle.verify("HMAC", await keyOf(secret), given, bytes);
}

/** Compares in a time that reveals nothing of where two texts differ. */
async function isSame(expected: string, given: string): Promise<boolean> {
  const text = new TextEncoder();
  const key = await keyOf(expected);
  return crypto.subtle.verify("HMAC", key, await crypto.subtle.sign("HMAC", key, text.encode(expected)), text.encode(given));
}

function keyOf(secret: string): Promise<CryptoKey> {
  return crypto.subtle.importKey("raw", new TextEncoder().encode(secret), HMAC, false, ["sign", "verify"]);
}

function toJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    // Nothing that the app sends.
    return null;
  }
}
