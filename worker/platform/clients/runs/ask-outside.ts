import * as z from "zod/mini";
import { log } from "#worker/platform/log.ts";
import { egressFetch } from "../egress.ts";
import { readUpTo } from "../read-up-to.ts";

/** Within a tool call's 30 s, in milliseconds. */
const TIMEOUT_MS = 20_000;
const MAX_BYTES = 4 * 1024 * 1024;
const MESSAGE_LENGTH = 300;

/** Why a service did not do what it was asked; `status` is null where it could not be reached. The message is for people and models. */
export type ServiceFailure = {
  ok: false;
  status: number | null;
  message: string;
  /** True where it may have done what a POST asked all the same. */
  isUncertain?: boolean;
};
export type Asked<T> = { ok: true; value: T } | ServiceFailure;

type Question = {
  /** As people know it. */
  service: string;
  url: string;
  method?: "GET" | "POST";
  /** Goes out in the `authorization` header as it is, and is cut out of whatever comes back. */
  authorization: string;
  body?: unknown;
};

/** What several services say of a failure: a sentence in one of these places. */
const Refusal = z.object({
  message: z.nullish(z.string()),
  detail: z.nullish(z.union([z.string(), z.array(z.object({ msg: z.string() }))])),
  errors: z.nullish(z.array(z.union([z.string(), z.object({ message: z.string() })]))),
});

/** Asks a service once: a POST that may have arrived is never sent again, as it could call a person twice. */
export async function askService<T>(question: Question, answer: z.ZodMiniType<T>, signal: AbortSignal): Promise<Asked<T>> {
  const { service, url, method = "GET", authorization, body } = question;
  const limit = AbortSignal.timeout(TIMEOUT_MS);
  try {
    const response = await egressFetch(url, {
      method,
      headers: { authorization, accept: "application/json", ...(body !== undefined && { "content-type": "application/json" }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.any([signal, limit]),
    });
    const bytes = response.body && (await readUpTo(response.body, MAX_BYTES));
    const json = toJson(bytes ? new TextDecoder().decode(bytes) : "");
    if (!response.ok) return refusal(question, response.status, json);
    const parsed = answer.safeParse(json);
    if (parsed.success) return { ok: true, value: parsed.data };
    log.warn("a service's answer could not be read", { service, status: response.status });
    return { ok: false, status: response.status, message: `${service}'s answer could not be read.`, isUncertain: method === "POST" };
  } catch (cause) {
    if (signal.aborted) throw cause;
    log.warn("a service did not answer", { service, cause });
    const what = limit.aborted ? "did not answer in time" : "cannot be reached right now";
    return { ok: false, status: null, message: `${service} ${what}.`, isUncertain: method === "POST" };
  }
}

function toJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // A gateway's page in the place of an answer.
    return null;
  }
}

/** What the service said, in one line; what it repeats of its key is left out. */
function refusal({ service, authorization, method }: Question, status: number, json: unknown): ServiceFailure {
  const { data } = Refusal.safeParse(json);
  const { message, detail, errors } = data ?? {};
  const first = errors?.[0];
  const errorText =
    message ?? (typeof detail === "string" ? detail : detail?.[0]?.msg) ?? (typeof first === "string" ? first : first?.message) ?? "";
  const key = authorization.replace(/^Bearer /, "");
  const line = errorText.replaceAll(key, "…").replaceAll(/\s+/g, " ").trim().slice(0, MESSAGE_LENGTH);
  log.warn("a service refused a request", { service, status });
  const isDefinite = status >= 400 && status < 500;
  return { ok: false, status, message: line || `${service} refused this (HTTP ${status}).`, isUncertain: method === "POST" && !isDefinite };
}
