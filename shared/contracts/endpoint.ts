import type * as z from "zod/mini";
import { FRESH_CRITICAL_MIN } from "../limits.ts";
import type { Action } from "../permissions.ts";

/**
 * Who may call: `anyone` without a session; `visitor` makes a guest account when there is none;
 * `user` any session, guests too; `account` a session that is not a guest's;
 * `admin` an administrator's: for everybody else there is no such address.
 * Rights within a chat are checked by its room on top of this.
 */
export type Access = "anyone" | "visitor" | "user" | "account" | "admin";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/**
 * Why a POST that arrives twice has its effect once: `id`, its body names what it makes; `key`, the Idempotency-Key header
 * does, and the first answer is kept for a day; `same`, again leaves the same state; `spent`, it uses up what it needs.
 */
export type Repeat = "id" | "key" | "same" | "spent";

type Schema = z.ZodMiniType;

/** A sentence that goes before the place of what is wrong, or what says all of it by its place and the schema's words. */
export type BodyRefusal = string | ((place: readonly PropertyKey[], words: string) => string);

export type Endpoint<
  P extends Schema = Schema,
  Q extends Schema = Schema,
  B extends Schema = Schema,
  R extends Schema = Schema,
  A extends Access = Access,
> = {
  method: Method;
  /** Hono's pattern, e.g. `/api/chat/:id/messages`. */
  path: `/api/${string}`;
  summary: string;
  access: A;
  /** The least that the caller must be allowed in the chat of the path; its room checks, and a field may need more. */
  action: Action | undefined;
  repeat: Repeat | undefined;
  params: P | undefined;
  query: Q | undefined;
  body: B | undefined;
  /** The most characters that its JSON body may have, where the usual number of bytes does not do. */
  bodyLength: number | undefined;
  /** Said of a body that is wrong deep inside, where the schema's own words name nothing that people know. */
  bodyRefusal: BodyRefusal | undefined;
  /** Absent where the answer isn't JSON (a stream, a redirect, a page). */
  response: R | undefined;
  /** The HTTP status of success, 200 unless given. */
  status: 200 | 201 | 202;
  /** True where `Accept: text/event-stream` gets the reply's events with status 200, the first being `accepted` with what `response` says. */
  streams: boolean;
  /** Minutes within which the caller must have proved who they are; undefined where a session is enough. */
  freshMinutes: number | undefined;
};

type Options<P, Q, B, R, A> = {
  summary: string;
  access: A;
  params?: P;
  query?: Q;
  body?: B;
  bodyLength?: number;
  bodyRefusal?: BodyRefusal;
  response?: R;
  status?: 200 | 201 | 202;
  streams?: true;
  freshMinutes?: number;
};

/** What a call must say on top: its right where it is about a chat, and how it bears being repeated where it is a POST. */
type Policy<M extends Method, Path extends string> = (Path extends `/api/chat/:id${string}` ? { action: Action } : { action?: never }) &
  (M extends "POST" ? { repeat: Repeat } : { repeat?: never });

/** One call of the API as a value: served by the Worker, called by the web, described in the OpenAPI document. */
export function endpoint<
  M extends Method,
  Path extends `/api/${string}`,
  A extends Access,
  P extends Schema = never,
  Q extends Schema = never,
  B extends Schema = never,
  R extends Schema = never,
>(method: M, path: Path, options: Options<P, Q, B, R, A> & Policy<M, Path>): Endpoint<P, Q, B, R, A> {
  const {
    summary,
    access,
    action,
    repeat,
    params,
    query,
    body,
    bodyLength,
    bodyRefusal,
    response,
    status = 200,
    streams = false,
    // An act of administration is never less guarded for a word that was forgotten.
    freshMinutes = access === "admin" && method !== "GET" ? FRESH_CRITICAL_MIN : undefined,
  } = options;
  const policy = { summary, access, action, repeat, freshMinutes };
  return { method, path, ...policy, params, query, body, bodyLength, bodyRefusal, response, status, streams };
}

type Given<S> = NonNullable<S>;
type In<S> = Given<S> extends Schema ? z.input<Given<S>> : undefined;
type Out<S> = [Given<S>] extends [never] ? undefined : Given<S> extends Schema ? z.output<Given<S>> : undefined;

/** What a caller passes: only the parts the endpoint has. */
export type InputOf<E extends Endpoint> = ([Given<E["params"]>] extends [never] ? { params?: undefined } : { params: In<E["params"]> }) &
  ([Given<E["query"]>] extends [never] ? { query?: undefined } : { query?: In<E["query"]> }) &
  ([Given<E["body"]>] extends [never] ? { body?: undefined } : { body: In<E["body"]> });

export type ParamsOf<E extends Endpoint> = Out<E["params"]>;
export type QueryOf<E extends Endpoint> = Out<E["query"]>;
export type BodyOf<E extends Endpoint> = Out<E["body"]>;
export type ResponseOf<E extends Endpoint> = Out<E["response"]>;
