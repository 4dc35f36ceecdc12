import * as z from "zod/mini";
import { log } from "#worker/platform/log.ts";
import { egressFetch } from "./egress.ts";
import { readUpTo } from "./read-up-to.ts";

/** Within a tool call's 30 s, in milliseconds, with what is left for one retry. */
const TIMEOUT_MS = 20_000;
const MAX_BYTES = 4 * 1024 * 1024;
/** Longer waits than this many seconds leave no time for the answer. */
const LONGEST_WAIT_S = 5;

/** A failed call of a search service. The message is for the model and its readers; what concerns the operator is in the log. */
export class SearchError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "SearchError";
  }
}

export type SearchService = { name: string; url: string; key: string | undefined };

/** Posts a request with the service's key and answers its JSON; asks once more after a 429. Throws `SearchError`. */
export async function postSearch(service: SearchService, body: unknown, signal: AbortSignal): Promise<unknown> {
  if (!service.key) throw new SearchError("This is not set up in this deployment.");
  for (let attempt = 1; ; attempt += 1) {
    const { response, text } = await send(service, service.key, { body, signal });
    if (response.ok) return readJson(service, text);
    const wait = Number(response.headers.get("retry-after") ?? 1);
    if (response.status !== 429 || attempt > 1 || !(wait <= LONGEST_WAIT_S)) throw refusal(service, response.status, text);
    await pause(wait * 1_000, signal);
  }
}

async function send(
  { name, url }: SearchService,
  key: string,
  { body, signal }: { body: unknown; signal: AbortSignal },
): Promise<{ response: Response; text: string }> {
  const limit = AbortSignal.timeout(TIMEOUT_MS);
  try {
    const response = await egressFetch(url, {
      method: "POST",
      headers: { "x-api-key": key, "content-type": "application/json", accept: "application/json" },
      body: JSON.stringify(body),
      signal: AbortSignal.any([signal, limit]),
    });
    const bytes = response.body && (await readUpTo(response.body, MAX_BYTES));
    return { response, text: bytes ? new TextDecoder().decode(bytes) : "" };
  } catch (cause) {
    if (signal.aborted) throw cause;
    log.warn("a search service did not answer", { service: name, cause });
    throw new SearchError(limit.aborted ? "The search service did not answer in time." : "The search service cannot be reached right now.");
  }
}

function readJson({ name }: SearchService, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    log.warn("a search service answered with no JSON", { service: name });
    throw unreadable();
  }
}

/** What an answer means that no one can read. */
export function unreadable(): SearchError {
  return new SearchError("The search service's answer could not be read.");
}

/** A service's own name for what was wrong. Its sentences may repeat what was asked. */
const Refused = z.object({ tag: z.string().check(z.regex(/^[A-Za-z]\w{0,59}$/)) });

function tagOf(text: string): string | null {
  try {
    return Refused.parse(JSON.parse(text)).tag;
  } catch {
    // Of any other error the operator sees the status alone.
    return null;
  }
}

/** A key or a bill is the operator's to put right; a request is the model's. */
function refusal({ name }: SearchService, status: number, text: string): SearchError {
  const tag = tagOf(text);
  if (status === 401 || status === 402 || status === 403) {
    log.error("a search service refuses this deployment: check its key and credit", { service: name, status, tag });
    return new SearchError("This search is not available right now.");
  }
  log.warn("a search service refused a request", { service: name, status, tag });
  if (status === 429) return new SearchError("The search service is busy. Try again in a moment.");
  if (status === 400 || status === 422) return new SearchError("The search service did not take this request: change it.");
  return new SearchError("The search service cannot be reached right now.");
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => (clearTimeout(timer), resolve()), { once: true });
  });
  signal.throwIfAborted();
}
