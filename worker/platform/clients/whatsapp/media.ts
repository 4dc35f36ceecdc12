import * as z from "zod/mini";
import { configOf, type Env } from "#worker/platform/env.ts";
import { log } from "#worker/platform/log.ts";
import { egressFetch } from "../egress.ts";
import { readAllBytes } from "../read-all-bytes.ts";
import { askGraph, type GraphFailure, type GraphAnswer, whatsappOf } from "./graph.ts";

const TIMEOUT_MS = 60_000;

const Media = z.object({ url: z.url(), mime_type: z.optional(z.string()), file_size: z.optional(z.number()) });

/** Where Meta keeps files; the token goes nowhere else. */
const META = /^(?:[a-z0-9-]+\.)*(?:facebook|fbsbx|whatsapp)\.(?:com|net)$/;

/** A file that somebody sent: where it is for some minutes, its MIME type, and its size in bytes as the app gives it, 0 where it does not. */
export type MediaPlace = { url: string; type: string; size: number };

export async function findMedia(env: Env, id: string): Promise<GraphAnswer<MediaPlace>> {
  const asked = await askGraph(env, { path: encodeURIComponent(id), answer: Media });
  if (!asked.ok) return asked;
  const { url, mime_type: type = "", file_size: size = 0 } = asked.value;
  return { ok: true, value: { url, type, size } };
}

type Fetched = { ok: true; value: Uint8Array<ArrayBuffer> } | GraphFailure | { ok: false; isTooLarge: true };

/** A file's bytes, to be let go of by `release`, or that it has more than `limit`. */
export async function fetchMedia(env: Env, { url, size }: MediaPlace, limit: number): Promise<Fetched> {
  if (size > limit) return { ok: false, isTooLarge: true };
  const { token } = whatsappOf(env);
  if (!isTrusted(env, url)) {
    log.error("the messaging app named a host for a file that is not its own", { host: new URL(url).host });
    return unreachable(false);
  }
  try {
    const response = await egressFetch(url, { headers: { authorization: `Bearer ${token}` }, signal: AbortSignal.timeout(TIMEOUT_MS) });
    if (!response.ok || !response.body) {
      await response.body?.cancel();
      log.warn("a file of the messaging app could not be fetched", { status: response.status });
      return unreachable(response.status === 429 || response.status >= 500);
    }
    const bytes = await readAllBytes(response.body, { limit, expected: size });
    return bytes ? { ok: true, value: bytes } : { ok: false, isTooLarge: true };
  } catch (cause) {
    log.warn("a file of the messaging app could not be fetched", { cause });
    return unreachable(true);
  }
}

function isTrusted(env: Env, url: string): boolean {
  const { protocol, hostname, origin } = new URL(url);
  return origin === new URL(configOf(env).whatsapp?.url ?? "").origin || (protocol === "https:" && META.test(hostname));
}

function unreachable(isPassing: boolean): GraphFailure {
  return { ok: false, code: null, message: "The file could not be fetched from the messaging app.", isUncertain: false, isPassing };
}
