import { type Endpoint, type InputOf, type ResponseOf } from "#shared/contracts/endpoint.ts";
import type { ErrorBody } from "#shared/errors.ts";
import { forgetRepeatKey, repeatKey } from "./repeat-keys.ts";
import * as shape from "./shape.ts";

/** A failure as the server said it, or `OFFLINE` when it could not be asked. Flows branch on `code`, never on text. */
export class ApiError extends Error {
  readonly code: string;
  readonly status: number;
  /** Seconds to wait, where the server named them. */
  readonly retryAfter: number | null;
  /** True where the message is the server's own. */
  readonly isFromServer: boolean;

  constructor({ code, message, status, retryAfter = null, isFromServer = status > 0 }: Failed) {
    super(message);
    this.name = "ApiError";
    this.code = code;
    this.status = status;
    this.retryAfter = retryAfter;
    this.isFromServer = isFromServer;
  }
}

type Failed = { code: string; message: string; status: number; retryAfter?: number | null; isFromServer?: boolean };

/** What the server itself said of a failure, which goes before a text of ours (spec 8); null where it said nothing or was not reached. */
export function serverWords(error: unknown): string | null {
  return error instanceof ApiError && error.isFromServer && error.message !== "" ? error.message : null;
}

const Failure = shape.record<ErrorBody>({ error: shape.text, code: shape.text });

type CallOptions = { signal?: AbortSignal; keepalive?: boolean };

/** Calls one endpoint. Throws `ApiError`. */
export async function call<E extends Endpoint>(endpoint: E, input: InputOf<E>, options: CallOptions = {}): Promise<ResponseOf<E>> {
  const { response, settle } = await ask(endpoint, input, options);
  const answer: unknown = await response.json();
  settle();
  // The server checks its answers against the same schema; checking again here would cost every start its bytes and time.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return answer as ResponseOf<E>;
}

/** Calls an endpoint for the events that it may answer with, which are read as they come. Throws `ApiError` where it is refused. */
export async function callForEvents<E extends Endpoint>(endpoint: E, input: InputOf<E>): Promise<Response> {
  const { response, settle } = await ask(endpoint, input, { accept: "text/event-stream" });
  settle();
  return response;
}

/** Calls an endpoint that answers with a file. Throws `ApiError`. */
export async function callForFile<E extends Endpoint>(endpoint: E, input: InputOf<E>): Promise<Blob> {
  const { response, settle } = await ask(endpoint, input, {});
  settle();
  return response.blob();
}

/** The web's only fetch; `settle` says that the answer has arrived, so the same request later is another one. */
async function ask<E extends Endpoint>(
  endpoint: E,
  input: InputOf<E>,
  { signal, keepalive, accept }: CallOptions & { accept?: string },
): Promise<{ response: Response; settle: () => void }> {
  const init: RequestInit = { method: endpoint.method, credentials: "same-origin" };
  if (signal) init.signal = signal;
  if (keepalive) init.keepalive = keepalive;
  const url = address(endpoint, input);
  const headers = new Headers();
  if (accept !== undefined) headers.set("accept", accept);
  if (input.body !== undefined) {
    headers.set("content-type", "application/json");
    init.body = JSON.stringify(input.body);
  }
  const request = `${url} ${JSON.stringify(input.body)}`;
  if (endpoint.repeat === "key") headers.set("idempotency-key", repeatKey(request));
  init.headers = headers;
  let response: Response;
  try {
    response = await fetch(url, init);
  } catch (cause) {
    if (signal?.aborted) throw cause;
    throw new ApiError({ code: "OFFLINE", message: "The server cannot be reached.", status: 0 });
  }
  if (!response.ok) {
    if (response.status < 500 && response.status !== 409) forgetRepeatKey(request);
    throw await failure(response);
  }
  return { response, settle: () => forgetRepeatKey(request) };
}

/** The URL of an endpoint with its parameters and query filled in. */
export function address(endpoint: Endpoint, input: { params?: unknown; query?: unknown }): string {
  const params = new Map(entries(input.params));
  const path = endpoint.path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(params.get(name) ?? ""));
  const query = new URLSearchParams();
  for (const [name, value] of entries(input.query)) query.set(name, value);
  const search = query.toString();
  return search === "" ? path : `${path}?${search}`;
}

async function failure(response: Response): Promise<ApiError> {
  const retryAfter = Number(response.headers.get("retry-after")) || null;
  const parsed = Failure.safeParse(await response.json().catch(() => null));
  const { code, error } = parsed.success ? parsed.data : { code: "INTERNAL", error: "Something went wrong. Try again." };
  return new ApiError({ code, message: error, status: response.status, retryAfter, isFromServer: parsed.success });
}

function entries(fields: unknown): [string, string][] {
  if (typeof fields !== "object" || fields === null) return [];
  return Object.entries(fields).flatMap(([name, value]: [string, unknown]) =>
    typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? [[name, `${value}`]] : [],
  );
}
