import type * as z from "zod/mini";

/**
 * Who may call: `anyone` without a session; `visitor` makes a guest account when there is none;
 * `user` any session, guests too; `account` a session that is not a guest's.
 * Rights within a chat are checked by its room on top of this.
 */
export type Access = "anyone" | "visitor" | "user" | "account";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

type Schema = z.ZodMiniType;

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
  params: P | undefined;
  query: Q | undefined;
  body: B | undefined;
  /** Absent where the answer isn't JSON (a stream, a redirect, a page). */
  response: R | undefined;
  /** The HTTP status of success, 200 unless given. */
  status: 200 | 201 | 202;
};

type Options<P, Q, B, R, A> = {
  summary: string;
  access: A;
  params?: P;
  query?: Q;
  body?: B;
  response?: R;
  status?: 200 | 201 | 202;
};

/** One call of the API as a value: served by the Worker, called by the web, described in the OpenAPI document. */
export function endpoint<
  A extends Access,
  P extends Schema = never,
  Q extends Schema = never,
  B extends Schema = never,
  R extends Schema = never,
>(method: Method, path: `/api/${string}`, options: Options<P, Q, B, R, A>): Endpoint<P, Q, B, R, A> {
  const { summary, access, params, query, body, response, status = 200 } = options;
  return { method, path, summary, access, params, query, body, response, status };
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
