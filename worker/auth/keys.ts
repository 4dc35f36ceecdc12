import { AppError } from "../app-error.ts";
import type { Config } from "../config.ts";

type Purpose =
  | "session-token"
  | "google-transaction"
  | "sign-in-code"
  | "additional-email-code"
  | "messaging-code"
  | "media"
  | "share-link"
  | "team-invitation"
  | "api-key"
  | "phone-webhook"
  | "unsubscribe"
  | "former-mailbox";

const derived = new Map<string, Promise<CryptoKey>>();

/** The HMAC-SHA256 key of one purpose, derived from the session secret by HKDF (RFC 5869). Changing the secret signs everyone out. */
export function signingKey({ sessionSecret: secret }: Pick<Config, "sessionSecret">, purpose: Purpose): Promise<CryptoKey> {
  if (secret === undefined) {
    throw new AppError("INTERNAL", { message: "Signing in is not set up: SESSION_SECRET needs at least 32 characters." });
  }
  const name = `${purpose} ${secret}`;
  const known = derived.get(name);
  if (known) return known;
  const key = derive(secret, purpose);
  derived.set(name, key);
  return key;
}

async function derive(secret: string, purpose: Purpose): Promise<CryptoKey> {
  const bytes = new TextEncoder();
  const material = await crypto.subtle.importKey("raw", bytes.encode(secret), "HKDF", false, ["deriveKey"]);
  const parameters = { name: "HKDF", hash: "SHA-256", salt: new Uint8Array(32), info: bytes.encode(purpose) };
  return crypto.subtle.deriveKey(parameters, material, { name: "HMAC", hash: "SHA-256", length: 256 }, false, ["sign", "verify"]);
}
