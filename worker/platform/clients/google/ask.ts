/** One question to an API of Google's, with its errors (https://developers.google.com/workspace/gmail/api/guides/handle-errors). */
import * as z from "zod/mini";
import { formatBytes } from "#shared/attachment-rules.ts";
import { log } from "#worker/platform/log.ts";
import { egressFetch } from "../egress.ts";
import { nullishField } from "../nullish-field.ts";
import { readUpTo } from "../read-up-to.ts";

const TIMEOUT_MS = 20_000;
/** A page of threads has a few hundred KB, a long conversation in HTML some MB. */
const ANSWER_BYTES = 6 * 1024 * 1024;
/** What is busy is asked so many times, first after so many milliseconds, then after twice as many each time, with jitter. */
const TRIES = 4;
const FIRST_WAIT_MS = 400;
/** A longer wait is refused: the model learns of it and can ask again. */
const LONGEST_WAIT_MS = 8_000;
const MESSAGE_LENGTH = 200;

/**
 * Why Google did not do what it was asked: the token is refused; the scope does not do; the caller should ask later; there is no such thing;
 * the API is not switched on for this deployment; what was asked is not valid.
 */
export type GoogleRefusal = "refused" | "scope" | "busy" | "gone" | "off" | "invalid";

/** `isUncertain` where a POST may have had its effect all the same. */
export type GoogleFailure = { ok: false; kind: GoogleRefusal; message: string; isUncertain?: boolean };
export type GoogleAnswer<T> = { ok: true; value: T } | GoogleFailure;

type Question = {
  /** As people know it. */
  service: string;
  url: string;
  method?: "GET" | "POST";
  token: string;
  body?: unknown;
  /** Bytes that its answer may have, where it is a file's. */
  answerBytes?: number;
};

const Refusal = z.object({
  error: z.object({
    message: nullishField(z.string()),
    errors: nullishField(z.array(z.object({ reason: nullishField(z.string()) }))),
    details: nullishField(z.array(z.object({ reason: nullishField(z.string()) }))),
  }),
});

/** Asks until it is answered, or busy too often: what certainly was not done is asked again, a POST that may have arrived is not. */
export async function askGoogle<T>(question: Question, answer: z.ZodMiniType<T>, signal: AbortSignal): Promise<GoogleAnswer<T>> {
  for (let attempt = 1; ; attempt += 1) {
    const { retryAfterMs, ...answered } = await askOnce(question, answer, signal);
    if (answered.ok || answered.kind !== "busy" || answered.isUncertain || attempt === TRIES) return answered;
    const wait = retryAfterMs ?? FIRST_WAIT_MS * 2 ** (attempt - 1) * (0.5 + Math.random());
    if (wait > LONGEST_WAIT_MS) return answered;
    await pause(wait, signal);
  }
}

type Once<T> = GoogleAnswer<T> & { retryAfterMs?: number | null };

async function askOnce<T>(
  { service, url, method = "GET", token, body, answerBytes = ANSWER_BYTES }: Question,
  answer: z.ZodMiniType<T>,
  signal: AbortSignal,
): Promise<Once<T>> {
  const isUncertain = method === "POST";
  let response: Response;
  let bytes: Uint8Array | null;
  try {
    response = await egressFetch(url, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        accept: "application/json",
        ...(body !== undefined && { "content-type": "application/json" }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    bytes = response.body && (await readUpTo(response.body, answerBytes));
  } catch (cause) {
    if (signal.aborted) throw cause;
    log.warn("Google did not answer", { service, cause });
    return { ok: false, kind: "busy", message: `${service} cannot be reached right now.`, isUncertain };
  }
  const json = toJson(bytes);
  if (!response.ok) return refusal({ service, response, json, isUncertain });
  if (response.body && bytes === null)
    return { ok: false, kind: "invalid", message: `${service}'s answer is larger than ${formatBytes(answerBytes)}.`, isUncertain };
  const parsed = answer.safeParse(json);
  if (parsed.success) return { ok: true, value: parsed.data };
  log.warn("an answer of Google's could not be read", { service, status: response.status });
  return { ok: false, kind: "invalid", message: `${service}'s answer could not be read.`, isUncertain };
}

const BUSY = new Set(["rateLimitExceeded", "userRateLimitExceeded", "dailyLimitExceeded", "quotaExceeded", "RATE_LIMIT_EXCEEDED"]);
const SCOPE = new Set(["insufficientPermissions", "ACCESS_TOKEN_SCOPE_INSUFFICIENT"]);
const OFF = new Set(["accessNotConfigured", "SERVICE_DISABLED"]);

/** What a reason looks like; anything else may say whose the file is. */
const REASON = /^[A-Za-z]\w{0,59}$/;

type Refused = { service: string; response: Response; json: unknown; isUncertain: boolean };

function refusal({ service, response, json, isUncertain }: Refused): GoogleFailure & { retryAfterMs?: number | null } {
  const { status } = response;
  const { data } = Refusal.safeParse(json);
  const reasons = [...(data?.error.errors ?? []), ...(data?.error.details ?? [])].flatMap(({ reason }) => reason ?? []);
  const is = (known: ReadonlySet<string>) => reasons.some((reason) => known.has(reason));
  log.warn("Google refused a request", { service, status, reasons: reasons.filter((reason) => REASON.test(reason)) });
  if (status === 401) return { ok: false, kind: "refused", message: `${service} does not accept this connection any more.` };
  if (status === 429 || is(BUSY))
    return { ok: false, kind: "busy", message: `${service} takes no more requests right now.`, retryAfterMs: retryAfter(response) };
  if (status === 408 || status >= 500)
    return { ok: false, kind: "busy", message: `${service} has trouble right now.`, isUncertain, retryAfterMs: retryAfter(response) };
  if (status === 404) return { ok: false, kind: "gone", message: `${service} has nothing by that id.` };
  if (is(SCOPE)) return { ok: false, kind: "scope", message: `${service} was not granted for this.` };
  if (is(OFF)) return { ok: false, kind: "off", message: `${service} is not switched on for this deployment. Its operator can enable it.` };
  const detail = (data?.error.message ?? "").replaceAll(/\s+/g, " ").trim().slice(0, MESSAGE_LENGTH);
  return {
    ok: false,
    kind: "invalid",
    message: detail === "" ? `${service} refused this (HTTP ${status}).` : `${service} refused this: ${detail}`,
  };
}

function retryAfter({ headers }: Response): number | null {
  const given = headers.get("retry-after");
  if (given === null) return null;
  const seconds = Number(given);
  const ms = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(given) - Date.now();
  return Number.isFinite(ms) ? Math.max(ms, 0) : null;
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener(
      "abort",
      () => {
        clearTimeout(timer);
        reject(signal.reason);
      },
      { once: true },
    );
  });
}

function toJson(bytes: Uint8Array | null): unknown {
  try {
    return bytes && JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    // A gateway's page in the place of an answer.
    return null;
  }
}
