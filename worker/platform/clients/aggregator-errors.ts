/** What went wrong at the aggregator, distinguished by the statuses and types of its contract. */
import * as z from "zod/mini";

export type AggregatorFailure =
  | "aborted"
  | "stalled"
  | "unreachable"
  | "cut"
  | "timeout"
  | "rate_limited"
  | "overloaded"
  | "provider_down"
  | "unauthenticated"
  | "out_of_credits"
  | "forbidden"
  | "moderated"
  | "model_not_found"
  | "no_endpoint"
  | "context_too_long"
  | "too_large"
  | "invalid"
  | "server"
  /** Set by us: the answer went beyond what is stored of one. */
  | "endless";

/** Failures that pass by themselves and may be asked again before anything was shown: 408, 429, 502, 503, 524, 529 and a lost connection. */
const RETRYABLE: ReadonlySet<AggregatorFailure> = new Set(["timeout", "rate_limited", "overloaded", "provider_down", "unreachable", "cut"]);

type Options = {
  kind: AggregatorFailure;
  status?: number | null;
  provider?: string | null;
  retryAfter?: number | null;
  reasons?: string[];
  detail?: string | null;
  cause?: unknown;
};

/** A failed call, as the turn explains it; carries no request and no key. */
export class AggregatorError extends Error {
  readonly kind: AggregatorFailure;
  readonly status: number | null;
  readonly provider: string | null;
  /** Seconds the provider asks to wait. */
  readonly retryAfter: number | null;
  /** What moderation objected to. */
  readonly reasons: string[];
  /** The aggregator's own words about a refused request. */
  readonly detail: string | null;

  constructor({ kind, status = null, provider = null, retryAfter = null, reasons = [], detail = null, cause }: Options) {
    super(`aggregator: ${kind}${status === null ? "" : ` (${status})`}`, { cause });
    this.name = "AggregatorError";
    this.kind = kind;
    this.status = status;
    this.provider = provider;
    this.retryAfter = retryAfter;
    this.reasons = reasons;
    this.detail = detail;
  }

  get isRetryable(): boolean {
    return RETRYABLE.has(this.kind);
  }
}

const Body = z.object({
  code: z.nullish(z.union([z.number(), z.string()])),
  message: z.nullish(z.string()),
  error_type: z.nullish(z.string()),
  availability: z.nullish(z.object({ code: z.nullish(z.string()), retry_after: z.nullish(z.number()) })),
  metadata: z.nullish(
    z.object({
      error_type: z.nullish(z.string()),
      reasons: z.nullish(z.array(z.string())),
      provider_name: z.nullish(z.string()),
    }),
  ),
});

const Refusal = z.object({ error: z.optional(z.unknown()) });

/** An answer whose status refuses, by its body's `error`. */
export function fromRefusal({ status, headers }: Pick<Response, "status" | "headers">, text: string): AggregatorError {
  return fromBody(errorIn(text), { status, retryAfter: Number(headers.get("retry-after")) || null });
}

function errorIn(text: string): unknown {
  try {
    return Refusal.safeParse(JSON.parse(text)).data?.error;
  } catch {
    // A proxy in between answers with a page: its status says enough.
    return undefined;
  }
}

export function fromThrown(error: unknown): AggregatorError {
  if (error instanceof AggregatorError) return error;
  if (error instanceof Error && error.name === "AbortError") return new AggregatorError({ kind: "aborted", cause: error });
  if (error instanceof Error && error.name === "TimeoutError") return new AggregatorError({ kind: "timeout", cause: error });
  return new AggregatorError({ kind: "cut", cause: error });
}

/** An `error` object inside a stream whose status was 200. */
export function fromMidStream(body: unknown): AggregatorError {
  const parsed = Body.safeParse(body);
  const status = parsed.success && typeof parsed.data.code === "number" ? parsed.data.code : null;
  return fromBody(body, { status, retryAfter: null });
}

function fromBody(body: unknown, { status, retryAfter }: { status: number | null; retryAfter: number | null }) {
  const parsed = Body.safeParse(body);
  const data = parsed.success ? parsed.data : null;
  const kind = classify(status, data?.error_type ?? data?.metadata?.error_type ?? null, data);
  return new AggregatorError({
    kind,
    status,
    provider: data?.metadata?.provider_name ?? null,
    retryAfter: retryAfter ?? data?.availability?.retry_after ?? null,
    reasons: data?.metadata?.reasons ?? [],
    detail: data?.message ?? null,
  });
}

const BY_TYPE: Record<string, AggregatorFailure> = {
  context_length_exceeded: "context_too_long",
  token_limit_exceeded: "context_too_long",
  string_too_long: "context_too_long",
  max_tokens_exceeded: "invalid",
  authentication: "unauthenticated",
  permission_denied: "forbidden",
  payment_required: "out_of_credits",
  rate_limit_exceeded: "rate_limited",
  provider_overloaded: "overloaded",
  provider_unavailable: "provider_down",
  payload_too_large: "too_large",
  content_policy_violation: "moderated",
  refusal: "moderated",
  timeout: "timeout",
};

const BY_STATUS: Record<number, AggregatorFailure> = {
  400: "invalid",
  401: "unauthenticated",
  402: "out_of_credits",
  403: "forbidden",
  404: "no_endpoint",
  408: "timeout",
  413: "too_large",
  422: "invalid",
  429: "rate_limited",
  500: "server",
  502: "provider_down",
  503: "overloaded",
  524: "timeout",
  529: "overloaded",
};

function classify(status: number | null, type: string | null, data: z.infer<typeof Body> | null): AggregatorFailure {
  const availability = data?.availability?.code;
  if (availability === "model_not_found" || availability === "model_deprecated") return "model_not_found";
  if (data?.metadata?.reasons?.length) return "moderated";
  if (type && BY_TYPE[type]) return BY_TYPE[type];
  return (status === null ? undefined : BY_STATUS[status]) ?? "server";
}
