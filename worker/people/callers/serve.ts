import type { Context, Hono } from "hono";
import * as z from "zod/mini";
import type { Access, BodyOf, BodyRefusal, Endpoint, ParamsOf, QueryOf, ResponseOf } from "#shared/contracts/endpoint.ts";
import { openDatabase } from "#worker/platform/db/client.ts";
import { type AppContext, type Caller, configOf } from "#worker/platform/env.ts";
import { AppError } from "#worker/platform/errors/app-error.ts";
import { requireFreshSignIn } from "#worker/people/sessions/fresh-sign-in.ts";
import { withReservedMemory } from "#worker/platform/http/body-memory.ts";
import { answerOnce } from "./idempotency.ts";
import { maxBodyBytes, readJson } from "#worker/platform/http/read-json.ts";
import { issueMessage, validationMessage } from "#worker/platform/http/validation-messages.ts";
import { isAdministratorNow, createGuest } from "#worker/people/users/users.ts";
import { readCookie } from "#worker/platform/http/cookies.ts";
import { regionOf } from "#worker/people/sessions/region.ts";
import { openSession } from "#worker/people/sessions/sessions.ts";
import { writeSession } from "./session.ts";
import { countNewGuest } from "./guest-limits.ts";

/** Lets a caller through or refuses; null only for `anyone`, where an ended session is none, and for a visitor who is no guest yet. */
async function requireAccess(c: Context<AppContext>, access: Access): Promise<Caller | null> {
  if (access === "anyone" && (await c.get("confirmed")) === false) {
    c.set("caller", null);
    c.set("confirmed", null);
  }
  const caller = c.get("caller");
  if (access === "admin") return requireAdministrator(c);
  if (caller === null && access !== "anyone" && access !== "visitor") throw new AppError("UNAUTHENTICATED");
  // Whose session ended under way must not find their message with a guest.
  if (caller === null && access === "visitor" && readCookie(c, "session") !== undefined) throw new AppError("UNAUTHENTICATED");
  if (caller?.anonymous && access === "account") throw new AppError("SIGN_IN_REQUIRED");
  return caller;
}

/** Whoever is no administrator by their row as it stands now learns of no such address. */
async function requireAdministrator(c: Context<AppContext>): Promise<Caller> {
  const caller = c.get("caller");
  if (caller === null || !(await isAdministratorNow(c.env, openDatabase(c.env.DB), caller))) throw new AppError("NOT_FOUND");
  return caller;
}

/** The caller, or for a visitor a guest account made now: only once the request has proven well-formed. */
async function callerOrGuest(c: Context<AppContext>): Promise<Caller> {
  return c.get("caller") ?? (await openGuestAccount(c));
}

const FirstMessage = z.object({ parent_id: z.null() });

/**
 * What a refusal means to a guest whom this very request made. A visitor's first message whose answer was lost on the way comes
 * again without the cookie that answer carried: its chat is there and belongs to a guest whom this browser never became.
 */
function refusalOfNewcomer(error: unknown, body: unknown): unknown {
  const isLost = error instanceof AppError && error.code === "NOT_FOUND" && FirstMessage.safeParse(body).success;
  return isLost
    ? new AppError("CONFLICT", { message: "The first answer never arrived here. Send it as a new chat.", cause: error })
    : error;
}

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
    return withReservedMemory(maxBodyBytes(c.req.raw, endpoint.bodyLength), () => respond(c, known));
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

async function takeIn<I extends { body: unknown }, T>(handler: (input: I) => T | Promise<T>, input: I, isNewcomer: boolean): Promise<T> {
  try {
    return await handler(input);
  } catch (error) {
    throw isNewcomer ? refusalOfNewcomer(error, input.body) : error;
  }
}

function parse(schema: z.ZodMiniType | undefined, value: unknown, code: "NOT_FOUND" | "INVALID_INPUT", refusal?: BodyRefusal): unknown {
  if (!schema) return undefined;
  const parsed = schema.safeParse(value, { error: validationMessage });
  if (parsed.success) return parsed.data;
  if (code === "NOT_FOUND") throw new AppError(code);
  const issue = parsed.error.issues[0];
  if (typeof refusal === "function" && issue) throw new AppError(code, { message: refusal(issue.path, issueMessage(issue)) });
  if (typeof refusal === "string" && issue && issue.path.length > 1)
    throw new AppError(code, { message: `${refusal} (${issue.path.join(".")})` });
  throw new AppError(code, issue && { message: issueMessage(issue) });
}

/** An answer that an object has written as JSON already, in UTF-8; outside production it is checked by its contract like any other. */
export function writtenJson(c: Context<AppContext>, { response }: Endpoint, bytes: Uint8Array): Response {
  if (response && !configOf(c.env).isProduction) z.parse(response, JSON.parse(new TextDecoder().decode(bytes)));
  return new Response(bytes, { headers: { "content-type": "application/json" } });
}

/** Makes a visitor a guest: an account without a mail address, known by its cookie alone. */
async function openGuestAccount(c: Context<AppContext>): Promise<Caller> {
  if (configOf(c.env).limits.guestMessagesPerDay === 0) throw new AppError("GUESTS_OFF");
  await countNewGuest(c.env, c.get("ip"));
  const guest = await createGuest(c.get("db"), "Guest");
  const opened = await openSession(c.get("db"), guest, {
    userAgent: c.req.header("user-agent") ?? "",
    region: regionOf(c.req.raw.cf ?? {}),
  });
  await writeSession(c, opened.secret, opened);
  return opened.caller;
}
