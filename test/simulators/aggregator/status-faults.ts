/** An HTTP answer that is an error. */
export type ErrorAnswer = { status: number; body: unknown; headers?: Record<string, string> };

/** What an error body may quote of the request. */
export type ErrorContext = { model: string; prompt: string };

function plain(status: number, errorType: string, message: string, metadata: Record<string, unknown> = {}): ErrorAnswer {
  return { status, body: { error: { code: status, message, metadata: { error_type: errorType, ...metadata } } } };
}

/** The body for a model that nobody serves: `availability` directly in `error`, and no `code`, as in the documents' examples. */
export function modelNotFound(requested: readonly string[]): ErrorAnswer {
  return {
    status: 400,
    body: {
      error: {
        message: `${requested[0] ?? ""} is not a valid model ID`,
        error_type: "not_found",
        http_status: 400,
        availability: {
          code: "model_not_found",
          retryable: false,
          requested_models: requested,
          fallback_models: [],
          docs_url: "https://openrouter.ai/docs/errors",
        },
      },
    },
  };
}

/** The body for a model none of whose providers can do what is asked. */
export function noEndpoints(model: string, detail: string): ErrorAnswer {
  return {
    status: 404,
    body: {
      error: {
        code: 404,
        message: `No endpoints found that support ${detail}`,
        metadata: { error_type: "not_found" },
        availability: {
          code: "constraint_filtered",
          retryable: false,
          requested_models: [model],
          constraint: { field: "capability", detail },
        },
      },
    },
  };
}

/** The body for a request that is malformed. */
export function invalidRequest(message: string): ErrorAnswer {
  return plain(400, "invalid_request", message);
}

/** The body without a bearer key. */
export function noCredentials(): ErrorAnswer {
  return plain(401, "authentication", "No auth credentials found");
}

/** The body for a prompt longer than the model's context, in tokens. */
export function contextTooLong(context: number, tokens: number): ErrorAnswer {
  return plain(
    400,
    "context_length_exceeded",
    `This endpoint's maximum context length is ${context} tokens. However, you requested about ${tokens} tokens. Please reduce the length of either one.`,
  );
}

const rateLimitHeaders = () => ({
  "X-RateLimit-Limit": "20",
  "X-RateLimit-Remaining": "0",
  "X-RateLimit-Reset": String(Date.now() + 1000),
});

const statusFaults = {
  "400": () => invalidRequest('Input required: specify "prompt" or "messages"'),
  "401": () => plain(401, "authentication", "User not found."),
  "402": () => plain(402, "payment_required", "Insufficient credits. Add more using https://openrouter.ai/credits"),
  "403": () => plain(403, "permission_denied", "Request blocked by a guardrail.", { patterns: ["confidential"] }),
  "403-moderation": ({ model, prompt }: ErrorContext) =>
    plain(403, "content_policy_violation", `${model} requires moderation. Your input was flagged for "violence".`, {
      reasons: ["violence"],
      flagged_input: prompt.slice(0, 100),
      provider_name: "OpenAI",
      model_slug: model,
    }),
  "404": () => plain(404, "not_found", "No endpoints found matching your data policy. Configure: https://openrouter.ai/settings/privacy"),
  "408": () => plain(408, "timeout", "Your request timed out."),
  "413": () => plain(413, "payload_too_large", "The request body is too large."),
  "422": () => plain(422, "unprocessable", "The request could not be processed."),
  "429": () => ({
    ...plain(429, "rate_limit_exceeded", "Rate limit exceeded: free-models-per-min."),
    headers: { "Retry-After": "1", ...rateLimitHeaders() },
  }),
  "429-long": () => ({
    ...plain(429, "rate_limit_exceeded", "Rate limit exceeded: free-models-per-day."),
    headers: { "Retry-After": "3600", ...rateLimitHeaders() },
  }),
  "429-provider": ({ model }: ErrorContext) =>
    plain(429, "rate_limit_exceeded", "Provider returned error", {
      provider_name: "DeepInfra",
      raw: `${model} is temporarily rate-limited upstream.`,
    }),
  "500": () => plain(500, "server", "Internal Server Error"),
  "502": () => plain(502, "provider_unavailable", "Provider returned error", { provider_name: "Together", raw: "upstream connect error" }),
  "502-html": () => ({
    status: 502,
    body: "<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>",
  }),
  "503": ({ model }: ErrorContext) => ({
    status: 503,
    headers: { "Retry-After": "1" },
    body: {
      error: {
        code: 503,
        message: "No provider has room for this request at the moment.",
        metadata: { error_type: "provider_overloaded" },
        availability: { code: "capacity_exhausted", retryable: true, retry_after: 1, requested_models: [model] },
      },
    },
  }),
  "524": () => plain(524, "timeout", "The edge timed out."),
  "529": () => plain(529, "provider_overloaded", "Provider overloaded"),
  model_not_found: ({ model }: ErrorContext) => modelNotFound([model]),
  context_length_exceeded: () => contextTooLong(8192, 9001),
} satisfies Record<string, (context: ErrorContext) => ErrorAnswer>;

export type StatusFault = keyof typeof statusFaults;

export const statusFaultNames: readonly string[] = Object.keys(statusFaults);

/** The answer of a status fault. */
export function statusFault(name: StatusFault, context: ErrorContext): ErrorAnswer {
  return statusFaults[name](context);
}
