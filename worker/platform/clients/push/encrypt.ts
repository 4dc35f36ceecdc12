/** Encrypts a push message to the browser that gets it (RFC 8291), as one record of the content encoding aes128gcm (RFC 8188). */
import { base64url } from "jose";
import { joinBytes } from "#worker/platform/join-bytes.ts";

/** The browser's public key and secret in base64url, as its subscription gives them. */
export type PushKeys = { p256dh: string; auth: string };

/** What is new with each message: 16 bytes of salt, and the sender's key pair. */
export type Made = { salt: Uint8Array<ArrayBuffer>; pair: CryptoKeyPair };

const CURVE = { name: "ECDH", namedCurve: "P-256" };
const SALT_BYTES = 16;
const SECRET_BITS = 256;
const KEY_BYTES = 32;
const CONTENT_KEY_BYTES = 16;
const NONCE_BYTES = 12;
/** Longer than any message, so each is one record. */
const RECORD_BYTES = 4_096;
/** Ends the last record. */
const DELIMITER = 2;

/** The body of a push with this text. Throws for keys that are none. */
export async function encryptPush(text: string, to: PushKeys, made?: Made): Promise<Uint8Array<ArrayBuffer>> {
  const { salt, pair } = made ?? (await make());
  const secret = bytesOf(to.auth);
  const receiver = bytesOf(to.p256dh);
  const sender = new Uint8Array(await rawKey(pair.publicKey));
  const shared = await agree(pair.privateKey, await importReceiver(to));
  const material = await derive(shared, { salt: secret, info: joinBytes([utf8("WebPush: info\0"), receiver, sender]), bytes: KEY_BYTES });
  const content = await derive(material, { salt, info: utf8("Content-Encoding: aes128gcm\0"), bytes: CONTENT_KEY_BYTES });
  const nonce = await derive(material, { salt, info: utf8("Content-Encoding: nonce\0"), bytes: NONCE_BYTES });
  const key = await crypto.subtle.importKey("raw", content, "AES-GCM", false, ["encrypt"]);
  const record = await crypto.subtle.encrypt({ name: "AES-GCM", iv: nonce }, key, joinBytes([utf8(text), Uint8Array.of(DELIMITER)]));
  const size = new Uint8Array(4);
  new DataView(size.buffer).setUint32(0, RECORD_BYTES);
  return joinBytes([salt, size, Uint8Array.of(sender.length), sender, new Uint8Array(record)]);
}

/** The browser's public key. Throws for what is no point of the curve. */
export async function importReceiver({ p256dh }: Pick<PushKeys, "p256dh">): Promise<CryptoKey> {
  return crypto.subtle.importKey("raw", bytesOf(p256dh), CURVE, false, []);
}

async function make(): Promise<Made> {
  const pair = await crypto.subtle.generateKey(CURVE, true, ["deriveBits"]);
  if (!("privateKey" in pair)) throw new Error("The platform made no pair of keys");
  return { salt: crypto.getRandomValues(new Uint8Array(SALT_BYTES)), pair };
}

async function rawKey(key: CryptoKey): Promise<ArrayBuffer> {
  const raw = await crypto.subtle.exportKey("raw", key);
  if (!(raw instanceof ArrayBuffer)) throw new Error("The platform gave no raw key");
  return raw;
}

async function agree(own: CryptoKey, other: CryptoKey): Promise<ArrayBuffer> {
  const agreement = { name: "ECDH", public: other };
  return crypto.subtle.deriveBits(agreement, own, SECRET_BITS);
}

type Derived = { salt: Uint8Array<ArrayBuffer>; info: Uint8Array<ArrayBuffer>; bytes: number };

/** HKDF with SHA-256 (RFC 5869). */
async function derive(material: ArrayBuffer | Uint8Array<ArrayBuffer>, { salt, info, bytes }: Derived): Promise<Uint8Array<ArrayBuffer>> {
  const key = await crypto.subtle.importKey("raw", material, "HKDF", false, ["deriveBits"]);
  return new Uint8Array(await crypto.subtle.deriveBits({ name: "HKDF", hash: "SHA-256", salt, info }, key, bytes * 8));
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(base64url.decode(text));
}

function utf8(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(new TextEncoder().encode(text));
}
