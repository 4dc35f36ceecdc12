/** The phone service (reference: api.bland.ai, `/v1/calls`). */
import * as z from "zod/mini";
import { configOf, type Env } from "#worker/platform/env.ts";
import { type Asked, askService } from "./ask-outside.ts";

/** A call to be made; `max_duration` is minutes. */
export type NewCall = {
  phone_number: string;
  task: string;
  max_duration: number;
  first_sentence?: string | undefined;
  voice?: string | undefined;
  language?: string | undefined;
  metadata: Record<string, string>;
  webhook?: string | undefined;
};

const Placed = z.object({ status: z.string(), call_id: z.nullish(z.string()), message: z.nullish(z.string()) });

const Line = z.object({ created_at: z.nullish(z.string()), text: z.string(), user: z.string() });

const Call = z.object({
  call_id: z.string(),
  completed: z.nullish(z.boolean()),
  status: z.nullish(z.string()),
  end_at: z.nullish(z.string()),
  call_length: z.nullish(z.number()),
  corrected_duration: z.nullish(z.union([z.string(), z.number()])),
  error_message: z.nullish(z.string()),
  answered_by: z.nullish(z.string()),
  summary: z.nullish(z.string()),
  /** US dollars. */
  price: z.nullish(z.number()),
  concatenated_transcript: z.nullish(z.string()),
  transcripts: z.nullish(z.array(Line)),
});
export type PhoneCall = z.infer<typeof Call>;

/** Has a number called, once: it is never asked for again. Answers the service's id of the call. */
export async function placeCall(env: Env, call: NewCall, signal: AbortSignal): Promise<Asked<string>> {
  const placed = await ask(env, { path: "/v1/calls", method: "POST", body: { ...call, record: false } }, Placed, signal);
  if (!placed.ok) return placed;
  const { status, call_id: id, message } = placed.value;
  if (status === "success" && id) return { ok: true, value: id };
  return { ok: false, status: 200, message: message ?? "The phone service did not take this call.", isUncertain: status === "success" };
}

export function readCall(env: Env, id: string, signal: AbortSignal): Promise<Asked<PhoneCall>> {
  return ask(env, { path: `/v1/calls/${encodeURIComponent(id)}` }, Call, signal);
}

/** Hangs up. */
export function stopCall(env: Env, id: string, signal: AbortSignal): Promise<Asked<unknown>> {
  return ask(env, { path: `/v1/calls/${encodeURIComponent(id)}/stop`, method: "POST", body: {} }, z.unknown(), signal);
}

/** Seconds that a call took; the service gives them as text, or minutes. */
export function callSeconds({ corrected_duration: seconds, call_length: minutes }: PhoneCall): number {
  const given = Number(seconds ?? Number.NaN);
  return Math.max(0, Math.round(Number.isFinite(given) ? given : (minutes ?? 0) * 60));
}

/** What was said, in its order: the service's list is not always sorted. */
export function transcriptOf({ transcripts, concatenated_transcript: whole }: PhoneCall): string {
  const lines = (transcripts ?? []).toSorted((a, b) => (a.created_at ?? "").localeCompare(b.created_at ?? ""));
  if (lines.length === 0) return whole?.trim() ?? "";
  return lines.map(({ user, text }) => `${user === "user" ? "Other side" : "Assistant"}: ${text.trim()}`).join("\n");
}

type Path = { path: string; method?: "POST"; body?: unknown };

async function ask<T>(env: Env, { path, method, body }: Path, answer: z.ZodMiniType<T>, signal: AbortSignal): Promise<Asked<T>> {
  const { url, key } = configOf(env).phone;
  if (key === undefined) return { ok: false, status: null, message: "There is no phone in this deployment." };
  const question = { service: "The phone service", url: `${url}${path}`, authorization: key };
  const asked = await askService({ ...question, ...(method && { method }), ...(body !== undefined && { body }) }, answer, signal);
  // A key or a bill is the operator's to put right.
  const isOurs = !asked.ok && (asked.status === 401 || asked.status === 402 || asked.status === 403);
  return isOurs ? { ...asked, message: "Calls are not available right now." } : asked;
}
