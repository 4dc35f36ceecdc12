/** Meta's Cloud API (reference: developers.facebook.com, WhatsApp Cloud API). */
import * as z from "zod/mini";
import type { WhatsappService } from "#worker/platform/config/config.ts";
import { configOf, type Env } from "#worker/platform/env.ts";
import { log } from "#worker/platform/log.ts";
import { AppError } from "#worker/platform/errors/app-error.ts";
import { egressFetch } from "../egress.ts";
import { readUpTo } from "../read-up-to.ts";

const TIMEOUT_MS = 20_000;
const ANSWER_BYTES = 256 * 1024;
const DETAILS_LENGTH = 300;

/** Why the service did not do what it was asked: its own code, null where it could not be reached. */
export type GraphFailure = {
  ok: false;
  code: number | null;
  message: string;
  /** True where it may have done it all the same. */
  isUncertain: boolean;
  /** True where the same will be taken later. */
  isPassing: boolean;
};
export type GraphAnswer<T> = { ok: true; value: T } | GraphFailure;

const Refusal = z.object({
  error: z.object({
    message: z.optional(z.string()),
    code: z.number(),
    error_data: z.optional(z.object({ details: z.optional(z.string()) })),
  }),
});

/** Rates, and what the service itself asks to be tried again. */
const PASSING = new Set([1, 2, 4, 80007, 130429, 131016, 131056, 133004]);
/** What the operator has to put right; users learn no more than that. */
const OPERATORS = (code: number): boolean => code === 0 || code === 10 || code === 190 || (code >= 200 && code < 300);

/** The service as it is set up here. Throws NOT_FOUND where it is not. */
export function whatsappOf(env: Env): WhatsappService {
  const service = configOf(env).whatsapp;
  if (!service) throw new AppError("NOT_FOUND");
  return service;
}

type Question<T> = { path: string; body?: unknown; answer: z.ZodMiniType<T> };

export async function askGraph<T>(env: Env, { path, body, answer }: Question<T>): Promise<GraphAnswer<T>> {
  const { url, token } = whatsappOf(env);
  try {
    const response = await egressFetch(`${url}/${path}`, {
      method: body === undefined ? "GET" : "POST",
      headers: { authorization: `Bearer ${token}`, ...(body !== undefined && { "content-type": "application/json" }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const bytes = response.body && (await readUpTo(response.body, ANSWER_BYTES));
    const json = toJson(bytes ? new TextDecoder().decode(bytes) : "");
    if (!response.ok) return failureOf(response.status, json, token);
    const parsed = answer.safeParse(json);
    if (parsed.success) return { ok: true, value: parsed.data };
    log.warn("the messaging app's answer could not be read", { status: response.status });
    return { ok: false, code: null, message: "The messaging app's answer could not be read.", isUncertain: true, isPassing: false };
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    log.warn("the messaging app did not answer", { cause });
    return { ok: false, code: null, message: "The messaging app cannot be reached right now.", isUncertain: true, isPassing: true };
  }
}

function failureOf(status: number, json: unknown, token: string): GraphFailure {
  const parsed = Refusal.safeParse(json);
  const code = parsed.success ? parsed.data.error.code : null;
  const errorText = parsed.success ? (parsed.data.error.error_data?.details ?? parsed.data.error.message ?? "") : "";
  const details = errorText.replaceAll(token, "…").replaceAll(/\s+/g, " ").trim().slice(0, DETAILS_LENGTH);
  log.warn("the messaging app refused a request", { status, code });
  const isOurs = code === null ? status === 401 || status === 403 : OPERATORS(code);
  const message = isOurs ? "Messages cannot be sent right now." : details || `The messaging app refused this (HTTP ${status}).`;
  // What it could not do for a reason of its own it may have done before it failed.
  const isUncertain = status >= 500 && (code === null || !PASSING.has(code));
  return {
    ok: false,
    code,
    message,
    isUncertain,
    isPassing: isOurs || status === 429 || status >= 500 || (code !== null && PASSING.has(code)),
  };
}

function toJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // A gateway's page in the place of an answer.
    return null;
  }
}
