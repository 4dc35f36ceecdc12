import { AppError } from "#worker/platform/errors/app-error.ts";
import type { Config } from "#worker/platform/config/config.ts";

type Purpose =
  | "session-token"
  | "google-transaction"
  | "google-unproven"
  | "sign-in-code"
  | "additional-email-code"
  | "messaging-code"
  | "media"
  | "share-link"
  | "team-invitation"
  | "api-key"
  | "phone-webhook"
  | "unsubscribe"
  | "former-mailbox"
  | "known-browser";

/** What was derived, and no promise of it: one that another request or object began may end in its context. */
const derived = new Map<string, CryptoKey>();

/** The HMAC-SHA256 key of one purpose, derived from the session secret by HKDF (RFC 5869). */
export function signingKey({ sessionSecret: secret }: Pick<Config, "sessionSecret">, purpose: Purpose): Promise<CryptoKey> {
  if (secret === undefined) {
    throw new AppError("INTERNAL", { message: "Signing in is not set up: SESSION_SECRET needs at least 32 characters." });
  }
  return keyOf(secret, purpose);
}

type Secrets = Pick<Config, "sessionSecret" | "oldSessionSecrets">;

/** All keys of one purpose: the one that signs, then those that did before it and are believed still. */
export async function acceptedKeys(config: Secrets, purpose: Purpose): Promise<CryptoKey[]> {
  return Promise.all([signingKey(config, purpose), ...config.oldSessionSecrets.map((secret) => keyOf(secret, purpose))]);
}

/** True for the signature of a text under any key of a purpose. Compares in constant time. */
export async function isSigned(
  config: Secrets,
  purpose: Purpose,
  { signature, text }: { signature: Uint8Array; text: Uint8Array },
): Promise<boolean> {
  const keys = await acceptedKeys(config, purpose);
  const [shown, signed] = [new Uint8Array(signature), new Uint8Array(text)];
  const found = await Promise.all(keys.map((key) => crypto.subtle.verify("HMAC", key, shown, signed)));
  return found.includes(true);
}

/** The signatures of a text under all keys of a purpose, the one of now first: for what is looked up by its signature. */
export async function signaturesOf(config: Secrets, purpose: Purpose, text: Uint8Array): Promise<Uint8Array<ArrayBuffer>[]> {
  const keys = await acceptedKeys(config, purpose);
  const signed = new Uint8Array(text);
  return Promise.all(keys.map(async (key) => new Uint8Array(await crypto.subtle.sign("HMAC", key, signed))));
}

/** What a token of a purpose says that it is and whom it is for (RFC 8725, 3.9 and 3.11), so none passes for another. */
export function claimsOf(purpose: Purpose): { typ: string; audience: string } {
  return { typ: `${purpose}+jwt`, audience: purpose };
}

async function keyOf(secret: string, purpose: Purpose): Promise<CryptoKey> {
  const name = `${purpose} ${secret}`;
  const known = derived.get(name);
  if (known) return known;
  const key = await derive(secret, purpose);
  derived.set(name, key);
  return key;
}

async function derive(secret: string, purpose: Purpose): Promise<CryptoKey> {
  const bytes = new TextEncoder();
  const material = await crypto.subtle.importKey("raw", bytes.encode(secret), "HKDF", false, ["deriveKey"]);
  const parameters = { name: "HKDF", hash: "SHA-256", salt: new Uint8Array(32), info: bytes.encode(purpose) };
  return crypto.subtle.deriveKey(parameters, material, { name: "HMAC", hash: "SHA-256", length: 256 }, false, ["sign", "verify"]);
}
