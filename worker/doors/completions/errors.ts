import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { ErrorObject } from "openai/resources/shared";
import * as z from "zod/mini";
import { ERRORS } from "#shared/errors.ts";
import { AppError } from "#worker/platform/errors/app-error.ts";
import { AggregatorError, type AggregatorFailure } from "#worker/platform/clients/aggregator-errors.ts";
import { log } from "#worker/platform/log.ts";
import { explainFailure } from "#worker/conversation/turn/turn-errors.ts";
import { placeOf } from "./request.ts";

/** A failure in the shape that OpenAI's clients read. */
export type CompletionFailure = {
  status: ContentfulStatusCode;
  headers: Record<string, string>;
  error: ErrorObject;
};

/** Statuses of failures that say something else to a program than that the provider failed (502). */
const STATUS: Partial<Record<AggregatorFailure, ContentfulStatusCode>> = {
  invalid: 400,
  context_too_long: 400,
  moderated: 403,
  forbidden: 403,
  model_not_found: 404,
  no_endpoint: 404,
  too_large: 413,
  rate_limited: 429,
  unauthenticated: 503,
  out_of_credits: 503,
  overloaded: 503,
  stalled: 504,
  timeout: 504,
};

/** Which field of a request a failure is about, by its code. */
const PARAM: Record<string, string> = {
  MODEL_NOT_FOUND: "model",
  MODEL_NOT_ALLOWED: "model",
  PRO_MODEL_REQUIRED: "model",
  CONTEXT_LENGTH_EXCEEDED: "messages",
};

/** Any failure as OpenAI's clients read it; one of our own is logged with the request's id and says no more than that. */
export function toFailure(error: unknown, { path, requestId }: { path: string; requestId: string }): CompletionFailure {
  if (error instanceof AggregatorError) return fromAggregator(error);
  if (error instanceof AppError) {
    if (error.status >= 500) log.error("request failed", { path, requestId, code: error.code, cause: error.cause });
    const [issue] = error.cause instanceof z.core.$ZodError ? error.cause.issues : [];
    return failure({
      status: error.status,
      message: error.message,
      code: error.code,
      headers: error.headers,
      ...(issue && { param: placeOf(issue) }),
    });
  }
  log.error("request failed", { path, requestId, cause: error });
  return failure({ status: 500, message: ERRORS.INTERNAL.message, code: "INTERNAL" });
}

function fromAggregator(error: AggregatorError): CompletionFailure {
  const explained = explainFailure(error, { attempts: 1, model: null });
  const code = error.kind === "context_too_long" ? "CONTEXT_LENGTH_EXCEEDED" : explained.code;
  // What is wrong with a request is for its program's author to read.
  const message = error.kind === "invalid" && error.detail ? error.detail : explained.message;
  const headers: Record<string, string> = error.retryAfter === null ? {} : { "retry-after": String(error.retryAfter) };
  return failure({ status: STATUS[error.kind] ?? 502, message, code, headers });
}

type Given = { status: ContentfulStatusCode; message: string; code: string; headers?: Record<string, string>; param?: string | null };

function failure({ status, message, code, headers = {}, param = PARAM[code] ?? null }: Given): CompletionFailure {
  // OpenAI's own word, which its clients' users look for.
  const name = code === "UNAUTHENTICATED" ? "invalid_api_key" : code.toLowerCase();
  return { status, headers, error: { message, type: typeOf(status), param, code: name } };
}

function typeOf(status: number): string {
  if (status === 402) return "insufficient_quota";
  if (status === 403) return "permission_error";
  if (status === 429) return "rate_limit_error";
  return status < 500 ? "invalid_request_error" : "api_error";
}
