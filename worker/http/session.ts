import type { Context, MiddlewareHandler } from "hono";
import { getSession } from "#shared/contracts/auth.ts";
import type { LiveSession } from "../auth/sessions.ts";
import { findLiveSession } from "../auth/sessions.ts";
import { readSessionToken, signSessionToken } from "../auth/session-token.ts";
import { sha256 } from "../auth/random.ts";
import type { AppContext, Caller } from "../env.ts";
import { clearCookie, readCookie, writeCookie } from "./cookies.ts";

/** Finds out who asks, and adds the cookies that anything behind it wants set to whatever answer comes. */
export const session: MiddlewareHandler<AppContext> = async (c, next) => {
  c.set("cookies", []);
  c.set("modelSettings", null);
  c.set("toolWishes", null);
  c.set("caller", await readCaller(c));
  await next();
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
  const { secret, id } = await readSecret(c);
  const found = await findLiveSession(c.get("db"), id);
  if (found) await writeSession(c, secret, found);
}

async function readCaller(c: Context<AppContext>): Promise<Caller | null> {
  if (readCookie(c, "session") === undefined) return null;
  const { secret, token, id } = await readSecret(c);
  const state = await readSessionToken(c.env, token, id);
  if (state.kind === "live" && isPlainRead(c)) return state.caller;
  const found = state.kind === "forged" ? null : await findLiveSession(c.get("db"), id);
  if (!found) {
    // A live token without its row is a session that ended a moment ago: the browser may be getting its next cookie right now.
    if (state.kind !== "live") clearCookie(c, "session");
    return null;
  }
  c.set("modelSettings", found.models);
  c.set("toolWishes", found.tools);
  if (state.kind === "stale") await writeSession(c, secret, found);
  return found.caller;
}

/** Plain reads trust the token for its five minutes. What changes something, stays open or asks who is here asks the row, so that signing out holds there at once. */
function isPlainRead(c: Context<AppContext>): boolean {
  if ((c.req.method !== "GET" && c.req.method !== "HEAD") || c.req.path === getSession.path) return false;
  const staysOpen = c.req.header("upgrade") !== undefined || c.req.header("accept")?.includes("text/event-stream") === true;
  return !staysOpen;
}

async function readSecret(c: Context<AppContext>): Promise<{ secret: string; token: string; id: string }> {
  const value = readCookie(c, "session") ?? "";
  const dot = value.indexOf(".");
  const secret = value.slice(0, Math.max(dot, 0));
  return { secret, token: value.slice(dot + 1), id: await sha256(secret) };
}
