import type { Context } from "hono";
import type { AppContext } from "../env.ts";
import { readCookie, writeCookie } from "../http/cookies.ts";
import { randomToken, sha256 } from "./random.ts";

/** Longer than what is counted by it, in seconds: an hour's codes. */
const KEPT_S = 2 * 60 * 60;

/** The browser that asks, by the SHA-256 of its cookie; null for one that was never given any. */
export async function knownBrowser(c: Context<AppContext>): Promise<string | null> {
  const secret = readCookie(c, "browser");
  return secret === undefined ? null : sha256(secret);
}

/** The same, with a cookie for one that has none; it is kept two hours from its last use here. */
export async function rememberBrowser(c: Context<AppContext>): Promise<string> {
  const secret = readCookie(c, "browser") ?? randomToken();
  writeCookie(c, "browser", { value: secret, maxAge: KEPT_S });
  return sha256(secret);
}
