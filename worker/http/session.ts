import type { Context, MiddlewareHandler } from "hono";
import { getSession } from "#shared/contracts/account/auth.ts";
import { followReply } from "#shared/contracts/chat/messages.ts";
import type { LiveSession } from "../auth/sessions.ts";
import { findLiveSession, isLiveSession } from "../auth/sessions.ts";
import { readSessionToken, signSessionToken } from "../auth/session-token.ts";
import { sha256 } from "../auth/random.ts";
import type { AppContext, Caller } from "../env.ts";
import { AppError } from "../app-error.ts";
import { clearCookie, readCookie, writeCookie } from "./cookies.ts";

/** A reply's stream, by its address: what a caller says to accept is theirs to choose. */
const STREAM = new RegExp(`^${followReply.path.replaceAll(/:\w+/g, "[^/]+")}$`);

const knownCallers = new WeakMap<Request, Caller>();

/** Names who asks by a request that the Worker itself makes to its own routes: no header could. */
export function askAs(caller: Caller, request: Request): Request {
  knownCallers.set(request, caller);
  return request;
}

/** Finds out who asks, and adds the cookies that anything behind it wants set to whatever answer comes. */
export const session: MiddlewareHandler<AppContext> = async (c, next) => {
  c.set("cookies", []);
  c.set("modelSettings", null);
  c.set("toolPreferences", null);
  const { caller, confirmed } = await readCaller(c);
  c.set("caller", caller);
  await next();
  if (confirmed && !(await confirmed)) {
    await c.res.body?.cancel();
    c.res = undefined;
    throw new AppError("UNAUTHENTICATED");
  }
  // A socket's handshake cannot be rebuilt with further headers.
  if (c.res.status === 101) return;
  for (const line of c.get("cookies")) c.header("set-cookie", line, { append: true });
};

/** Puts a session into the browser's one cookie: its secret, and a token of who it is for the next five minutes. */
export async function writeSession(c: Context<AppContext>, secret: string, { caller, expiresAt }: LiveSession): Promise<void> {
  const token = await signSessionToken(c.env, caller);
  writeCookie(c, "session", { value: `${secret}.${token}`, maxAge: Math.floor((expiresAt - Date.now()) / 1000) });
  c.set("caller", caller);
}

/** Takes the session out of the browser. */
export function dropSession(c: Context<AppContext>): void {
  clearCookie(c, "session");
  c.set("caller", null);
}

/** Signs the caller's token again from the session's row, after what it says has changed. */
export async function refreshSession(c: Context<AppContext>): Promise<void> {
  const { secret, id } = await readSecret(readCookie(c, "session") ?? "");
  const found = await findLiveSession(c.get("db"), id);
  if (found) await writeSession(c, secret, found);
}

/** Who asks; `confirmed`, where given, says whether their session's row still stands, and nothing goes out before it does. */
type Asker = { caller: Caller | null; confirmed?: Promise<boolean> };

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
    const confirmed = isLiveSession(c.get("db"), id);
    // It is awaited when the answer is made, and may fail before.
    confirmed.catch(() => undefined);
    return { caller: state.caller, confirmed };
  }
  const found = state.kind === "forged" ? null : await findLiveSession(c.get("db"), id);
  if (!found) {
    // A live token without its row is a session that ended a moment ago: the browser may be getting its next cookie right now.
    if (state.kind !== "live") clearCookie(c, "session");
    return { caller: null };
  }
  c.set("modelSettings", found.models);
  c.set("toolPreferences", found.tools);
  if (state.kind === "stale") await writeSession(c, secret, found);
  return { caller: found.caller };
}

/** Where every answer is about others. */
const ADMINISTRATION = /^\/(?:api\/)?admin(?:\/|$)/;

/**
 * Plain reads trust the token for its five minutes. What changes something, stays open, asks who is here or administers asks the row, so
 * that signing out holds there at once: beforehand, but for a stream, which changes nothing and may be fetched while the row is read.
 */
function trustIn(c: Context<AppContext>): "token" | "row before answer" | "row" {
  if ((c.req.method !== "GET" && c.req.method !== "HEAD") || c.req.path === getSession.path) return "row";
  if (c.req.header("upgrade") !== undefined || ADMINISTRATION.test(c.req.path)) return "row";
  return STREAM.test(c.req.path) ? "row before answer" : "token";
}

async function readSecret(cookie: string): Promise<{ secret: string; token: string; id: string }> {
  const dot = cookie.indexOf(".");
  const secret = cookie.slice(0, Math.max(dot, 0));
  return { secret, token: cookie.slice(dot + 1), id: await sha256(secret) };
}
