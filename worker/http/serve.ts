import type { Context, Hono } from "hono";
import * as z from "zod/mini";
import type { BodyOf, BodyRefusal, Endpoint, ParamsOf, QueryOf, ResponseOf } from "#shared/contracts/endpoint.ts";
import { openDatabase } from "../db/client.ts";
import { type AppContext, type Caller, configOf } from "../env.ts";
import { AppError } from "../app-error.ts";
import { requireFreshSignIn } from "../auth/fresh-sign-in.ts";
import { takePlace } from "./body-places.ts";
import { callerOrGuest, refusalOfNewcomer, requireAccess } from "./guards.ts";
import { answerOnce } from "./idempotency.ts";
import { lengthOf, readJson } from "./read-json.ts";
import { refusalWords, wordsOf } from "./refusal-words.ts";

type Input<E extends Endpoint> = {
  c: Context<AppContext>;
  params: ParamsOf<E>;
  query: QueryOf<E>;
  body: BodyOf<E>;
  /** Set wherever the endpoint's access asks for a session. */
  caller: E["access"] extends "anyone" ? Caller | null : Caller;
};

type Answer<E extends Endpoint> = ResponseOf<E> extends undefined ? Response : ResponseOf<E> | Response;

/** Mounts one contract: access, input and, outside production, the answer too are checked by its schemas. */
export function serve<E extends Endpoint>(
  app: Hono<AppContext>,
  endpoint: E,
  handler: (input: Input<E>) => Promise<Answer<E>> | Answer<E>,
): void {
  app.on(endpoint.method, endpoint.path, async (c) => {
    const known = await requireAccess(c, endpoint.access);
    if (endpoint.freshMinutes !== undefined && known) await requireFreshSignIn(openDatabase(c.env.DB), known, endpoint.freshMinutes);
    if (endpoint.bodyLength === undefined) return respond(c, known);
    const leave = await takePlace(lengthOf(c.req.raw, endpoint.bodyLength), busy);
    try {
      return await respond(c, known);
    } finally {
      leave();
    }
  });

  async function respond(c: Context<AppContext>, known: Caller | null): Promise<Response> {
    const params = parse(endpoint.params, c.req.param(), "NOT_FOUND");
    const query = parse(endpoint.query, c.req.query(), "INVALID_INPUT");
    const body =
      endpoint.body && parse(endpoint.body, await readJson(c.req.raw, endpoint.bodyLength), "INVALID_INPUT", endpoint.bodyRefusal);
    const caller = endpoint.access === "visitor" ? await callerOrGuest(c) : known;
    // The schemas of `endpoint` made these values; the compiler cannot tie them back to E.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    const input = { c, params, query, body, caller } as Input<E>;
    const answer = await answerOnce({ c, endpoint, caller, params, body }, async () => {
      const made = await takeIn(handler, input, known === null);
      if (made instanceof Response || !endpoint.response || configOf(c.env).isProduction) return made;
      return z.parse(endpoint.response, made);
    });
    return answer instanceof Response ? answer : c.json(answer, endpoint.status);
  }
}

function busy(): AppError {
  const message = "Too many long files are being read right now. Try again in a moment.";
  return new AppError("RATE_LIMITED", { message, headers: { "retry-after": "5" } });
}

async function takeIn<I extends { body: unknown }, T>(handler: (input: I) => T | Promise<T>, input: I, isNewcomer: boolean): Promise<T> {
  try {
    return await handler(input);
  } catch (error) {
    throw isNewcomer ? refusalOfNewcomer(error, input.body) : error;
  }
}

function parse(schema: z.ZodMiniType | undefined, value: unknown, code: "NOT_FOUND" | "INVALID_INPUT", refusal?: BodyRefusal): unknown {
  if (!schema) return undefined;
  const parsed = schema.safeParse(value, { error: refusalWords });
  if (parsed.success) return parsed.data;
  if (code === "NOT_FOUND") throw new AppError(code);
  const issue = parsed.error.issues[0];
  if (typeof refusal === "function" && issue) throw new AppError(code, { message: refusal(issue.path, wordsOf(issue)) });
  if (typeof refusal === "string" && issue && issue.path.length > 1)
    throw new AppError(code, { message: `${refusal} (${issue.path.join(".")})` });
  throw new AppError(code, issue && { message: wordsOf(issue) });
}

/** An answer that an object has written as JSON already, in UTF-8; outside production it is checked by its contract like any other. */
export function writtenJson(c: Context<AppContext>, { response }: Endpoint, bytes: Uint8Array): Response {
  if (response && !configOf(c.env).isProduction) z.parse(response, JSON.parse(new TextDecoder().decode(bytes)));
  return new Response(bytes, { headers: { "content-type": "application/json" } });
}
