/** A browser's side of web push, written from RFC 8291 alone: it makes keys, subscribes at the simulator and reads what comes. */
import * as z from "zod";

const P256 = { name: "ECDH", namedCurve: "P-256" };
const Stored = z.object({
  sent: z.number(),
  messages: z.array(z.object({ body: z.string(), ttl: z.number(), urgency: z.string(), topic: z.string().nullable() })),
});
const Content = z.object({
  id: z.string(),
  kind: z.string(),
  tag: z.string(),
  title: z.string(),
  body: z.string(),
  path: z.string(),
  unread: z.number().optional(),
});
const Pair = z.object({ publicKey: z.instanceof(CryptoKey), privateKey: z.instanceof(CryptoKey) });

export type Receiver = { endpoint: string; p256dh: string; auth: string; privateKey: CryptoKey };

/** A browser that subscribed at the simulator, for one application server's key or for any. */
export async function subscribed(simulator: string, key: string | null = null): Promise<Receiver> {
  const response = await fetch(`${simulator}/control/subscriptions`, post({ key }));
  const { endpoint } = z.object({ endpoint: z.string() }).parse(await response.json());
  const { publicKey, privateKey } = Pair.parse(await crypto.subtle.generateKey(P256, true, ["deriveBits"]));
  const point = z.instanceof(ArrayBuffer).parse(await crypto.subtle.exportKey("raw", publicKey));
  return { endpoint, privateKey, p256dh: toText(new Uint8Array(point)), auth: toText(crypto.getRandomValues(new Uint8Array(16))) };
}

/** What came for a receiver: how often its push service was asked, and what it took, with the bodies decrypted. */
export async function pushesTo(simulator: string, receiver: Receiver) {
  const response = await fetch(`${simulator}/control/messages?endpoint=${encodeURIComponent(receiver.endpoint)}`);
  const { sent, messages } = Stored.parse(await response.json());
  const read = messages.map(async ({ body, ...headers }) => {
    const text = await decryptPush(toBytes(body), receiver);
    return { ...headers, bytes: toBytes(body).length, content: Content.parse(JSON.parse(text)) };
  });
  return { sent, messages: await Promise.all(read) };
}

/** Has the simulator answer so the next times; `null` ends it. */
export async function failPushes(
  simulator: string,
  fault: { endpoint: string; status: number | null; retryAfter?: string; times?: number },
): Promise<void> {
  await fetch(`${simulator}/control/fault`, post(fault));
}

/** Has a browser unsubscribe. */
export async function unsubscribe(simulator: string, { endpoint }: Receiver): Promise<void> {
  await fetch(`${simulator}/control/unsubscribe`, post({ endpoint }));
}

/** The text of a push's body: RFC 8188's header and one record, with keys as RFC 8291 derives them. */
export async function decryptPush(
  body: Uint8Array<ArrayBuffer>,
  { privateKey, p256dh, auth }: Omit<Receiver, "endpoint">,
): Promise<string> {
  const salt = body.slice(0, 16);
  const recordSize = new DataView(body.buffer, body.byteOffset).getUint32(16);
  const senderKey = body.slice(21, 21 + (body[20] ?? 0));
  const record = body.slice(21 + senderKey.length);
  if (record.length > recordSize) throw new Error("More than one record");
  const agreement = { name: "ECDH", public: await crypto.subtle.importKey("raw", senderKey, P256, true, []) };
  const secret = new Uint8Array(await crypto.subtle.deriveBits(agreement, privateKey, 256));
  const label = new TextEncoder().encode("WebPush: info");
  const info = Uint8Array.from([...label, 0, ...toBytes(p256dh), ...senderKey]);
  // HKDF by its two steps (RFC 5869), each of one block.
  const shared = await hmac(await hmac(toBytes(auth), secret), Uint8Array.from([...info, 1]));
  const pseudorandom = await hmac(salt, shared);
  const expand = async (name: string, length: number) =>
    (await hmac(pseudorandom, Uint8Array.from([...new TextEncoder().encode(`Content-Encoding: ${name}`), 0, 1]))).slice(0, length);
  const key = await crypto.subtle.importKey("raw", await expand("aes128gcm", 16), "AES-GCM", false, ["decrypt"]);
  const plain = new Uint8Array(await crypto.subtle.decrypt({ name: "AES-GCM", iv: await expand("nonce", 12) }, key, record));
  const end = plain.findLastIndex((byte) => byte !== 0);
  if (plain[end] !== 2) throw new Error("The last record does not end as one");
  return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(plain.slice(0, end));
}

async function hmac(key: Uint8Array<ArrayBuffer>, data: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const imported = await crypto.subtle.importKey("raw", key, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return new Uint8Array(await crypto.subtle.sign("HMAC", imported, data));
}

function post(body: unknown): RequestInit {
  return { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
}

/** The bytes of base64url. */
export function toBytes(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (character) => character.charCodeAt(0));
}

/** Bytes as base64url. */
export function toText(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}
