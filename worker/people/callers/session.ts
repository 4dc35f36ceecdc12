import type { Context, MiddlewareHandler } from "hono";
import { getSession } from "#shared/contracts/account/auth.ts";
import type { FoundSession, LiveSession } from "#worker/people/sessions/sessions.ts";
import { findLivePerson, findLiveSession, findLiveTimes } from "#worker/people/sessions/sessions.ts";
import { readSessionToken, signSessionToken } from "#worker/people/sessions/session-token.ts";
import { sha256 } from "#worker/platform/random.ts";
import { cacheSession, type SeenSession, seenSession } from "#worker/people/sessions/seen-sessions.ts";
import type { AppContext, Caller } from "#worker/platform/env.ts";
import { AppError } from "#worker/platform/errors/app-error.ts";
import { openDatabase } from "#worker/platform/db/client.ts";
import { noteSettingsChange } from "#worker/people/hub/stub.ts";
import { clearCookie, readCookie, writeCookie } from "#worker/platform/http/cookies.ts";

const knownCallers = new WeakMap<Request, Caller>();

/** Names who asks by a request that the Worker itself makes to its own routes: no header could. */
export function withCaller(caller: Caller, request: Request): Request {
  knownCallers.set(request, caller);
  return request;
}

/** True for a request of the Worker's own, which has no session behind it. */
export function hasCaller(request: Request): boolean {
  return knownCallers.has(request);
}

/** Where nothing is set that a person's messages go by; a decision about a call, an import and Google say so themselves. */
const SETS_NOTHING = [
  /^\/api\/(?:artifacts|attachments|auth|chats?|feedback|folders|imports|memories|public|schedules|tags|teams|transcriptions)(?:\/|$)/,
  /^\/api\/user-contexts(?:\/|$)/,
  // A new persona is nobody's default yet.
  /^\/api\/user-system-prompts$/,
];

function maySetSomething({ req: { method, path } }: Context<AppContext>): boolean {
  return method !== "GET" && method !== "HEAD" && !SETS_NOTHING.some((known) => known.test(path));
}

/** Finds out who asks, of the primary database as a replica may not know of a session's end yet, and adds the cookies that anything behind it wants set to whatever answer comes. */
export const session: MiddlewareHandler<AppContext> = async (c, next) => {
  c.set("cookies", []);
  c.set("modelSettings", null);
  c.set("toolPreferences", null);
  c.set("person", null);
  c.set("knownSession", null);
  c.set("keepsNothing", false);
  const { caller, confirmed = null, keepsNothing = null } = await readCaller(c);
  c.set("caller", caller);
  c.set("confirmed", confirmed);
  await next();
  if (caller && !caller.anonymous && maySetSomething(c)) await noteSettingsChange(c.env, caller.userId);
  if (c.get("caller") && !((await c.get("confirmed")) ?? true)) {
    await c.res.body?.cancel();
    c.res = undefined;
    throw new AppError("UNAUTHENTICATED");
  }
  // A socket's handshake cannot be rebuilt with further headers.
  if (c.res.status === 101) return;
  for (const line of c.get("cookies")) c.header("set-cookie", line, { append: true });
  // Files and pictures, which the browser would hold beyond its session.
  const isPrivate = c.res.headers.get("cache-control")?.startsWith("private") === true;
  if (isPrivate && (c.get("keepsNothing") || (await keepsNothing) === true)) c.header("cache-control", "no-store");
};

/** Puts a session into the browser's one cookie: its secret, and a token of who it is for the next five minutes. */
export async function writeSession(
  c: Context<AppContext>,
  secret: string,
  { caller, expiresAt, keepsNothing }: LiveSession,
): Promise<void> {
  const token = await signSessionToken(c.env, caller);
  const maxAge = keepsNothing ? null : Math.floor((expiresAt - Date.now()) / 1000);
  writeCookie(c, "session", { value: `${secret}.${token}`, maxAge });
  c.set("caller", caller);
}

export function dropSession(c: Context<AppContext>): void {
  clearCookie(c, "session");
  c.set("caller", null);
}

/** Signs the caller's token again from the session's row, after what it says has changed. */
export async function refreshSession(c: Context<AppContext>): Promise<void> {
  const { secret, id } = await readSecret(readCookie(c, "session") ?? "");
  const found = await findLiveSession(openDatabase(c.env.DB), id);
  if (found) await writeSession(c, secret, found);
}

/**
 * Who asks; `confirmed`, where given, says whether their session's row still stands, and nothing private goes out before it does, and
 * `keepsNothing` whether that row says that nothing is to stay on the device.
 */
type Asker = { caller: Caller | null; confirmed?: Promise<boolean>; keepsNothing?: Promise<boolean> };

async function readCaller(c: Context<AppContext>): Promise<Asker> {
  const known = knownCallers.get(c.req.raw);
  if (known) return { caller: known };
  const cookie = readCookie(c, "session");
  if (cookie === undefined) return { caller: null };
  const { secret, token, id } = await readSecret(cookie);
  const state = await readSessionToken(c.env, token, id);
  const trust = trustIn(c);
  if (state.kind === "live" && trust === "token") return { caller: state.caller };
  if (state.kind === "live" && trust === "row before answer") {
    const times = findLiveTimes(openDatabase(c.env.DB), id);
    const [confirmed, keepsNothing] = [times.then((found) => found !== null), times.then((found) => found?.keepsNothing === true)];
    // They are awaited when the answer is made, and may fail before.
    for (const awaited of [confirmed, keepsNothing]) awaited.catch(() => undefined);
    return { caller: state.caller, confirmed, keepsNothing };
  }
  const seen = state.kind === "live" && isMessage(c) ? seenSession(id) : undefined;
  if (seen) return relyOn(c, seen);
  const at = Date.now();
  const found = state.kind === "forged" ? null : await readRow(c, id);
  if (!found) {
    // A live token without its row is a session that ended a moment ago: the browser may be getting its next cookie right now.
    if (state.kind !== "live") clearCookie(c, "session");
    return { caller: null };
  }
  setFound(c, found);
  if (isMessage(c) && !found.caller.anonymous) c.set("knownSession", await cacheSession(found, at));
  if (state.kind === "stale") await writeSession(c, secret, found);
  return { caller: found.caller };
}

function setFound(c: Context<AppContext>, { models, tools, keepsNothing }: FoundSession): void {
  c.set("modelSettings", models);
  c.set("toolPreferences", tools);
  c.set("keepsNothing", keepsNothing);
}

/** A message's session as its row was read before: the hub that reserves for it says whether it still stands, so nobody waits for the database. */
function relyOn(c: Context<AppContext>, { found, digest }: SeenSession): Asker {
  const confirm = async () => {
    const at = Date.now();
    const now = await findLiveSession(openDatabase(c.env.DB), found.caller.sessionId);
    if (!now) throw new AppError("UNAUTHENTICATED");
    setFound(c, now);
    return { caller: now.caller, settings: now.models, preferences: now.tools, session: await cacheSession(now, at) };
  };
  setFound(c, found);
  c.set("knownSession", { digest, row: null, confirm });
  return { caller: found.caller };
}

/** What every page asks first is about the person too. */
async function readRow(c: Context<AppContext>, id: string): ReturnType<typeof findLiveSession> {
  if (c.req.path !== getSession.path) return findLiveSession(openDatabase(c.env.DB), id);
  const found = await findLivePerson(openDatabase(c.env.DB), id);
  c.set("person", found?.person ?? null);
  return found;
}

const MESSAGE = /^\/api\/chat\/[^/]+\/messages$/;

function isMessage(c: Context<AppContext>): boolean {
  return c.req.method === "POST" && MESSAGE.test(c.req.path);
}

/** Where every answer is about others. */
const ADMINISTRATION = /^\/(?:api\/)?admin(?:\/|$)/;

/** Where other services return to: what they grant is kept. */
const RETURN = /^\/api\/.+\/callback$/;

/** Where sessions begin and end, besides what sets something. */
const SESSIONS = /^\/(?:api\/auth|not-me)(?:\/|$)/;

/** True for what may end a session or change what a person's messages go by, of which their hub is notified. */
export function affectsHub(c: Context<AppContext>): boolean {
  const { method, path } = c.req;
  return RETURN.test(path) || maySetSomething(c) || (method !== "GET" && SESSIONS.test(path));
}

/** What is followed for as long as it is written. */
const STREAM = /^\/api\/chat\/[^/]+\/replies\/[^/]+$/;

/** What anybody may read, whoever they are. */
const PUBLIC = /^\/(?:p\/[^/]+|api\/docs|api\/openapi\.json)$/;

/**
 * Everything private asks the session's row, so that signing out, a block and a deletion hold at once: beforehand where something is
 * changed, stays open, is asked about who is here or is administered; a plain read is made while the row is read, and its answer waits.
 */
function trustIn(c: Context<AppContext>): "token" | "row before answer" | "row" {
  if ((c.req.method !== "GET" && c.req.method !== "HEAD") || c.req.path === getSession.path) return "row";
  if (c.req.header("upgrade") !== undefined || [STREAM, ADMINISTRATION, RETURN].some((known) => known.test(c.req.path))) return "row";
  return PUBLIC.test(c.req.path) ? "token" : "row before answer";
}

async function readSecret(cookie: string): Promise<{ secret: string; token: string; id: string }> {
  const dot = cookie.indexOf(".");
  const secret = cookie.slice(0, Math.max(dot, 0));
  return { secret, token: cookie.slice(dot + 1), id: await sha256(secret) };
}
