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
