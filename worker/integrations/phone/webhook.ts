/** What the phone service reports of calls. It has the room look at the call at once: what happened is read from the service itself. */
import type { Hono } from "hono";
import * as z from "zod/mini";
import { AppError } from "#worker/platform/errors/app-error.ts";
import { roomOf } from "#worker/conversation/room/stub.ts";
import { type AppContext, configOf } from "#worker/platform/env.ts";
import { withReportBody } from "#worker/platform/http/read-report.ts";
import { isWebhookToken, WEBHOOK_PATH } from "./webhook-address.ts";

/** A long call's transcript, in bytes. */
const BODY_BYTES = 2 * 1024 * 1024;

const CallUpdate = z.object({ call_id: z.string() });

/** Takes what the phone service reports. It comes from no page of ours, so this stands before the check of the Origin; address and signature are the proof. */
export function phoneWebhook(app: Hono<AppContext>): void {
  app.post(`${WEBHOOK_PATH}/:chatId/:callId/:token`, async (c) => {
    const { chatId, callId, token } = c.req.param();
    const { key, webhookSecret } = configOf(c.env).phone;
    if (key === undefined || !(await isWebhookToken(c.env, { chatId, callId }, token))) throw new AppError("NOT_FOUND");
    return withReportBody(c.req.raw, BODY_BYTES, async (bytes) => {
      const signature = c.req.header("x-webhook-signature") ?? "";
      if (webhookSecret !== undefined && !(await isSigned(webhookSecret, bytes, signature))) throw new AppError("UNAUTHENTICATED");
      const update = CallUpdate.safeParse(toJson(bytes));
      if (update.success) await roomOf(c.env, chatId).noteRunUpdate(callId, update.data.call_id);
      return c.json({ ok: true });
    });
  });
}

/** True for a body that the holder of the secret signed: HMAC-SHA256 in hexadecimal digits, over the bytes or over their JSON written again. */
async function isSigned(secret: string, bytes: Uint8Array<ArrayBuffer>, signature: string): Promise<boolean> {
  if (!/^[0-9a-f]{64}$/i.test(signature)) return false;
  const text = new TextEncoder();
  const key = await crypto.subtle.importKey("raw", text.encode(secret), { name: "HMAC", hash: "SHA-256" }, false, ["verify"]);
  const given = Uint8Array.from(signature.match(/../g) ?? [], (digits) => Number.parseInt(digits, 16));
  const json = toJson(bytes);
  const forms = [bytes, ...(json === undefined ? [] : [text.encode(JSON.stringify(json))])];
  const verified = await Promise.all(forms.map((form) => crypto.subtle.verify("HMAC", key, given, form)));
  return verified.includes(true);
}

function toJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    // Nothing that the service sends.
    return undefined;
  }
}
