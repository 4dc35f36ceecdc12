import { configOf, type Env } from "#worker/platform/env.ts";
import { log } from "#worker/platform/log.ts";
import { resolvesPublicly } from "./dns.ts";
import { egressFetch } from "./egress.ts";
import { imageType } from "./image-type.ts";
import { isOwnZone } from "./own-zone.ts";
import { publicUrl } from "./public-address.ts";
import { readUpTo } from "./read-up-to.ts";

const TIMEOUT_MS = 10_000;
const MAX_BYTES = 8 * 1024 * 1024;
const MAX_REDIRECTS = 3;

export type RemoteImage = { bytes: Uint8Array; type: string };

/** Fetches an image of the public web, at most 8 MB; null where the address is not public, now or after a redirect, or leads to no image. */
export async function fetchRemoteImage(env: Env, address: string, ownHost: string): Promise<RemoteImage | null> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  try {
    const response = await follow(env, { address, ownHost, signal });
    const bytes = response?.ok && response.body ? await readUpTo(response.body, MAX_BYTES) : null;
    const type = bytes && imageType(bytes);
    return bytes && type ? { bytes, type } : null;
  } catch (cause) {
    // Foreign hosts fail in every way; the reader sees that there is no picture.
    log.warn("a remote image could not be fetched", { cause });
    return null;
  }
}

type Hop = { address: string; ownHost: string; signal: AbortSignal };

/** The last answer of a chain of redirects, each address checked before it is asked. */
async function follow(env: Env, { address, ownHost, signal }: Hop): Promise<Response | null> {
  let next = address;
  for (let hops = 0; hops <= MAX_REDIRECTS; hops += 1) {
    if (!(await mayAsk(env, { address: next, ownHost, signal }))) return null;
    const response = await egressFetch(next, { headers: { accept: "image/webp,image/png,image/jpeg,image/gif" }, signal });
    const location = response.headers.get("location");
    if (response.status < 300 || response.status >= 400 || location === null) return response;
    await response.body?.cancel();
    if (!URL.canParse(location, next)) return null;
    next = new URL(location, next).href;
  }
  return null;
}

async function mayAsk(env: Env, { address, ownHost, signal }: Hop): Promise<boolean> {
  if (isSimulatedImage(env, address)) return true;
  const url = publicUrl(address);
  if (url?.protocol !== "https:" || isOwnZone(env, url.hostname, ownHost)) return false;
  return resolvesPublicly(env, url.hostname, signal);
}

/** True for a picture of Exa's stand-in, which local mode runs on this machine. */
export function isSimulatedImage(env: Env, address: string): boolean {
  return URL.canParse(address) && new URL(address).origin === configOf(env).search.exa.standIn;
}
