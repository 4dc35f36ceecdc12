import { getSession, signOut } from "#shared/contracts/account/auth.ts";
import { type Endpoint, type InputOf, type ResponseOf } from "#shared/contracts/endpoint.ts";
import { ErrorBody } from "#shared/errors.ts";
import { forgetRepeatKey, repeatKey } from "./repeat-keys.ts";
import * as z from "zod/mini";
import { stopPersisting, stored } from "./storage.ts";

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

/** What the server itself said of a failure, which goes before a text of ours; null where it said nothing or was not reached. */
export function serverMessage(error: unknown): string | null {
  return error instanceof ApiError && error.isFromServer && error.message !== "" ? error.message : null;
}

type CallOptions = { signal?: AbortSignal; keepalive?: boolean };

let proveAgain: (() => Promise<boolean>) | null = null;

/** Has a call that needs a fresh sign-in ask for one, and made again where it answers true; returns how to stop. */
export function onReauthenticationRequired(prove: () => Promise<boolean>): () => void {
  proveAgain = prove;
  return () => {
    proveAgain = null;
  };
}

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

type Asked = CallOptions & { accept?: string };
/** `settle` says that the answer has arrived, so the same request later is another one. */
type Answered = { response: Response; settle: () => void };

async function ask<E extends Endpoint>(endpoint: E, input: InputOf<E>, options: Asked): Promise<Answered> {
  try {
    return await send(endpoint, input, options);
  } catch (error) {
    const isStale = error instanceof ApiError && error.code === "FRESH_SIGN_IN_REQUIRED";
    if (!isStale || !(await proveAgain?.())) throw error;
    return send(endpoint, input, options);
  }
}

/** Set from when somebody signs out until the server knows it. */
const leaving = stored("leaving", z.boolean(), false);
/** The document asks who is here before its scripts run, so that answer is still of whoever has left. */
let hasOldAnswer = leaving.read();
let ending: Promise<void> | null = null;
const END_MS = 5_000;

/** Notes that whoever was here has left: nothing is asked in their name or kept of them any more, but the end of their session asked for. */
export function markSigningOut(): void {
  leaving.write(true);
  stopPersisting();
}

/** Notes that the server knows it. */
export function markSignedOut(): void {
  leaving.remove();
}

/** True while the server does not know that whoever was here has left. */
export function hasSignedOut(): boolean {
  return leaving.read();
}

/** Ends the session of whoever has left. Throws `ApiError` where that cannot be, which is tried again with the next call. */
export function endSession(): Promise<void> {
  ending ??= askForEnd().finally(() => {
    ending = null;
  });
  return ending;
}

/** Ends the session of whoever has left, if one is left to end: what signs in next without asking here would be taken for it. */
export async function endOldSession(): Promise<void> {
  if (leaving.read()) await endSession();
}

async function askForEnd(): Promise<void> {
  if (hasOldAnswer) await fetch(getSession.path, { credentials: "same-origin" }).catch(() => undefined);
  hasOldAnswer = false;
  try {
    await call(signOut, { body: {} }, { signal: AbortSignal.timeout(END_MS) });
  } catch (error) {
    const isOver = error instanceof ApiError && error.status === 401;
    if (!isOver) throw new ApiError({ code: "OFFLINE", message: LEFT, status: 0, isFromServer: true });
  }
  markSignedOut();
}

const LEFT = "You have signed out, and nothing of yours is left on this device. Your session ends once the server can be reached.";

/** The web's only fetch. */
async function send<E extends Endpoint>(endpoint: E, input: InputOf<E>, { signal, keepalive, accept }: Asked): Promise<Answered> {
  if (endpoint.path !== signOut.path) await endOldSession();
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
  const parsed = ErrorBody.safeParse(await response.json().catch(() => null));
  const { code, error } = parsed.success ? parsed.data : { code: "INTERNAL", error: "Something went wrong. Try again." };
  return new ApiError({ code, message: error, status: response.status, retryAfter, isFromServer: parsed.success });
}

function entries(fields: unknown): [string, string][] {
  if (typeof fields !== "object" || fields === null) return [];
  return Object.entries(fields).flatMap(([name, value]: [string, unknown]) =>
    typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? [[name, `${value}`]] : [],
  );
}
