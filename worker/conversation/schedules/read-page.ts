/** The readable text of a page of the public web, fetched through the one door out. */
import { resolvesPublicly } from "#worker/platform/clients/dns.ts";
import { egressFetch } from "#worker/platform/clients/egress.ts";
import { isOwnZone } from "#worker/platform/clients/own-zone.ts";
import { publicUrl } from "#worker/platform/clients/public-address.ts";
import { readUpTo } from "#worker/platform/clients/read-up-to.ts";
import { isSimulatedImage } from "#worker/platform/clients/remote-image.ts";
import type { Env } from "#worker/platform/env.ts";
import { log } from "#worker/platform/log.ts";
import { htmlToText } from "#worker/mail/inbound/html-text.ts";

const TIMEOUT_MS = 15_000;
const MAX_BYTES = 2 * 1024 * 1024;
const MAX_REDIRECTS = 3;
/** What is kept of a page's text, in characters. */
const TEXT_LENGTH = 60_000;

/** Why a page may not be asked for. */
export const NOT_PUBLIC = "This is not an address of the public web.";

export type ReadPage = { ok: true; text: string } | { ok: false; reason: string };

/** True for an address that may be read on somebody's behalf, as far as the address shows. */
export function mayBeRead(env: Env, address: string): boolean {
  const url = publicUrl(address);
  return isSimulatedImage(env, address) || (url !== null && !isOwnZone(env, url.hostname));
}

/** Reads a page, by https alone; where it redirects to is checked as it was. */
export async function readPage(env: Env, address: string, ownHost: string | undefined): Promise<ReadPage> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  try {
    let next = overTls(env, address);
    for (let hops = 0; hops <= MAX_REDIRECTS; hops += 1) {
      if (!(await mayAsk(env, { address: next, ownHost, signal }))) return { ok: false, reason: NOT_PUBLIC };
      const response = await egressFetch(next, { headers: { accept: "text/html,text/plain;q=0.9,*/*;q=0.1" }, signal });
      const location = response.headers.get("location");
      if (response.status < 300 || response.status >= 400 || location === null) return await readText(response);
      await response.body?.cancel();
      if (!URL.canParse(location, next)) break;
      next = overTls(env, new URL(location, next).href);
    }
    return { ok: false, reason: "The page leads from one address to the next." };
  } catch (cause) {
    // Foreign hosts fail in every way.
    log.warn("a page could not be read", { cause });
    return { ok: false, reason: signal.aborted ? "The page did not answer in time." : "The page could not be reached." };
  }
}

/** The address over TLS, as nobody on the way is to read or write what a page says; but for the stand-in on this machine. */
function overTls(env: Env, address: string): string {
  const url = new URL(address);
  if (url.protocol === "http:" && !isSimulatedImage(env, address)) url.protocol = "https:";
  return url.href;
}

async function mayAsk(
  env: Env,
  { address, ownHost, signal }: { address: string; ownHost: string | undefined; signal: AbortSignal },
): Promise<boolean> {
  if (isSimulatedImage(env, address)) return true;
  const url = publicUrl(address);
  return url !== null && !isOwnZone(env, url.hostname, ownHost) && (await resolvesPublicly(env, url.hostname, signal));
}

async function readText(response: Response): Promise<ReadPage> {
  const type = response.headers.get("content-type")?.toLowerCase() ?? "";
  const isHtml = /^(?:text\/html|application\/xhtml\+xml)/.test(type);
  if (!response.ok || !(isHtml || type.startsWith("text/"))) {
    await response.body?.cancel();
    return { ok: false, reason: response.ok ? "The page holds no text." : `The page answered ${response.status}.` };
  }
  const bytes = response.body && (await readUpTo(response.body, MAX_BYTES));
  if (!bytes) return { ok: false, reason: "The page is too large." };
  const charset = /charset="?([\w-]+)/.exec(type)?.[1] ?? "utf-8";
  const source = decode(bytes, charset);
  const text = (isHtml ? htmlToText(source) : source).slice(0, TEXT_LENGTH).trim();
  return text === "" ? { ok: false, reason: "The page has no readable text." } : { ok: true, text };
}

function decode(bytes: Uint8Array, charset: string): string {
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    // An encoding that nobody knows is read as the usual one.
    return new TextDecoder().decode(bytes);
  }
}
