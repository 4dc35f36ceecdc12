import { base64url } from "jose";
import { isSigned, signingKey } from "#worker/people/signing-keys/keys.ts";
import { configOf, type Env } from "#worker/platform/env.ts";

/** Where the phone service reports calls. */
export const WEBHOOK_PATH = "/api/phone/webhook";

type Place = { chatId: string; callId: string };

/** Where the service reports one call: an address that nobody can guess; null where the deployment has no public one. */
export async function webhookAddress(env: Env, place: Place): Promise<string | null> {
  const { origin, isProduction } = configOf(env);
  if (origin === undefined || (isProduction && !origin.startsWith("https:"))) return null;
  return `${origin}${WEBHOOK_PATH}/${place.chatId}/${place.callId}/${await tokenOf(env, place)}`;
}

/** True for the token of this call's address. */
export async function isWebhookToken(env: Env, place: Place, token: string): Promise<boolean> {
  try {
    return await isSigned(configOf(env), "phone-webhook", { signature: base64url.decode(token), text: bytesOf(place) });
  } catch {
    // What is no base64 is no token.
    return false;
  }
}

async function tokenOf(env: Env, place: Place): Promise<string> {
  const key = await signingKey(configOf(env), "phone-webhook");
  return base64url.encode(new Uint8Array(await crypto.subtle.sign("HMAC", key, bytesOf(place))));
}

function bytesOf({ chatId, callId }: Place): Uint8Array<ArrayBuffer> {
  return new Uint8Array(new TextEncoder().encode(`${chatId}.${callId}`));
}
