/** Credentials of people's own connections as the database keeps them: encrypted for one person and one provider, and of no use to another. */
import { AppError } from "#worker/platform/errors/app-error.ts";
import { configOf, type Env } from "#worker/platform/env.ts";

/** Whose credential it is, and what for, e.g. `codegen`. */
export type CredentialOwner = { userId: string; provider: string };

/** AES-GCM's own length, in bytes (NIST SP 800-38D). */
const NONCE_BYTES = 12;

/** What was derived, and no promise of it: one that another request or object began may end in its context. */
const derived = new Map<string, CryptoKey>();
const text = new TextEncoder();

/** Encrypts a credential with the newest key: `keyId.nonce.ciphertext`. Throws INTERNAL without keys. */
export async function sealCredential(env: Env, owner: CredentialOwner, secret: string): Promise<string> {
  const newest = configOf(env).credentialKeys[0];
  if (!newest) throw notSetUp();
  const nonce = crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
  const sealed = await crypto.subtle.encrypt(parameters(owner, nonce), await keyFor(newest, owner), text.encode(secret));
  return [newest.id, toBase64(nonce), toBase64(new Uint8Array(sealed))].join(".");
}

/** Decrypts what `sealCredential` made for the same owner; null where its key is gone or it was made for somebody else. */
export async function openCredential(env: Env, owner: CredentialOwner, sealed: string): Promise<string | null> {
  const [id, nonce, cipher] = sealed.split(".");
  const key = configOf(env).credentialKeys.find((known) => known.id === id);
  if (!key || nonce === undefined || cipher === undefined) return null;
  try {
    const opened = await crypto.subtle.decrypt(parameters(owner, fromBase64(nonce)), await keyFor(key, owner), fromBase64(cipher));
    return new TextDecoder().decode(opened);
  } catch {
    // Why it does not open is nobody's to learn.
    return null;
  }
}

function parameters(owner: CredentialOwner, iv: Uint8Array<ArrayBuffer>) {
  return { name: "AES-GCM", iv, additionalData: text.encode(JSON.stringify([owner.userId, owner.provider])) };
}

/** Each person's own key, derived by HKDF (RFC 5869). */
async function keyFor({ id, bytes }: { id: string; bytes: Uint8Array<ArrayBuffer> }, { userId }: CredentialOwner): Promise<CryptoKey> {
  const name = `${id} ${userId} ${toBase64(bytes)}`;
  const known = derived.get(name);
  if (known) return known;
  // A few at a time are in use: none is kept for long.
  if (derived.size > 100) derived.clear();
  const key = await derive(bytes, userId);
  derived.set(name, key);
  return key;
}

async function derive(bytes: Uint8Array<ArrayBuffer>, userId: string): Promise<CryptoKey> {
  const material = await crypto.subtle.importKey("raw", bytes, "HKDF", false, ["deriveKey"]);
  const from = { name: "HKDF", hash: "SHA-256", salt: new Uint8Array(32), info: text.encode(`credential:${userId}`) };
  return crypto.subtle.deriveKey(from, material, { name: "AES-GCM", length: 256 }, false, ["encrypt", "decrypt"]);
}

function toBase64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}

function fromBase64(given: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(given), (character) => character.charCodeAt(0));
}

function notSetUp(): AppError {
  return new AppError("INTERNAL", { message: "Connections cannot be kept here: CREDENTIAL_KEYS is not set." });
}
