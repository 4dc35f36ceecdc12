import type { Env } from "../env.ts";
import { log } from "../http/log.ts";
import { reachOut } from "./egress.ts";

const TIMEOUT_MS = 5_000;
/** Google's are about 10 KB. */
const MAX_BYTES = 512 * 1024;

/** The leading bytes of the image types that browsers draw and nothing can hide a script in. */
const SIGNATURES = [
  { type: "image/png", bytes: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] },
  { type: "image/jpeg", bytes: [0xff, 0xd8, 0xff] },
  { type: "image/gif", bytes: [0x47, 0x49, 0x46, 0x38] },
];

export type Picture = { bytes: Uint8Array; type: string };

/** A person's picture from Google's image hosts (or the configured stand-in's), at most 512 KB; null where it cannot be had. */
export async function fetchPicture(env: Env, address: string): Promise<Picture | null> {
  if (!isGooglePicture(env, address)) return null;
  try {
    const response = await reachOut(address, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    const bytes = response.ok && response.body ? await readUpTo(response.body, MAX_BYTES) : null;
    const type = bytes && imageType(bytes);
    return bytes && type ? { bytes, type } : null;
  } catch (cause) {
    // A picture is an ornament: without one the initials stand there.
    log.warn("a profile picture could not be fetched", { cause });
    return null;
  }
}

/** True for an address that only Google, or the stand-in configured in its place, can answer. */
export function isGooglePicture(env: Pick<Env, "GOOGLE_TOKEN_URL">, address: string): boolean {
  if (!URL.canParse(address)) return false;
  const url = new URL(address);
  if (env.GOOGLE_TOKEN_URL && url.origin === new URL(env.GOOGLE_TOKEN_URL).origin) return true;
  return url.protocol === "https:" && url.port === "" && url.hostname.endsWith(".googleusercontent.com");
}

/** The type by the bytes themselves, whatever was claimed; null for anything but a PNG, JPEG or GIF. */
export function imageType(bytes: Uint8Array): string | null {
  return SIGNATURES.find(({ bytes: leading }) => leading.every((byte, index) => bytes[index] === byte))?.type ?? null;
}

async function readUpTo(body: ReadableStream<Uint8Array>, limit: number): Promise<Uint8Array | null> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > limit) return null;
    chunks.push(chunk);
  }
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}
