import { configOf, type Env } from "#worker/platform/env.ts";
import { log } from "#worker/platform/log.ts";
import { egressFetch } from "./egress.ts";
import { imageType } from "./image-type.ts";
import { readUpTo } from "./read-up-to.ts";

const TIMEOUT_MS = 5_000;
/** Google's are about 10 KB. */
const MAX_BYTES = 512 * 1024;

export type Picture = { bytes: Uint8Array; type: string };

/** A person's picture from Google's image hosts (or the configured stand-in's), at most 512 KB; null where it cannot be had. */
export async function fetchPicture(env: Env, address: string): Promise<Picture | null> {
  if (!isGooglePicture(env, address)) return null;
  try {
    const response = await egressFetch(address, { signal: AbortSignal.timeout(TIMEOUT_MS) });
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
export function isGooglePicture(env: Env, address: string): boolean {
  if (!URL.canParse(address)) return false;
  const url = new URL(address);
  if (url.origin === configOf(env).google.standIn) return true;
  return url.protocol === "https:" && url.port === "" && url.hostname.endsWith(".googleusercontent.com");
}
