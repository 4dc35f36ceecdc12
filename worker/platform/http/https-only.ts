import type { MiddlewareHandler } from "hono";
import type { AppContext } from "#worker/platform/env.ts";
import { AppError } from "#worker/platform/errors/app-error.ts";
import { log } from "#worker/platform/log.ts";
import { isPlainLocalhost } from "./origin.ts";

/** What programs ask, and pages by their scripts; every other address is a page or a file. */
const CALL = /^\/(?:api|v1|mcp)(?:\/|$)/;

/** Characters of a key that its owner sees of it, in the settings. */
const HINT_LENGTH = 4;

/**
 * Leads whoever opens a page by plain http to https, and refuses what brings a cookie, a key or a body: it was readable on its way. On
 * this machine there is no way that anybody could read along.
 */
export const requireHttps: MiddlewareHandler<AppContext> = async (c, next) => {
  const url = new URL(c.req.url);
  if (url.protocol === "https:" || isPlainLocalhost(c.req.url)) return next();
  const isRead = c.req.method === "GET" || c.req.method === "HEAD";
  const key = /^Bearer +(\S+)/i.exec(c.req.header("authorization") ?? "")?.[1];
  const hasSecret = c.req.header("authorization") !== undefined || c.req.header("cookie") !== undefined;
  if (!isRead || (CALL.test(c.req.path) && hasSecret)) {
    if (hasSecret) log.warn("a secret came by plain http", { kind: key === undefined ? "cookie" : "key" });
    throw new AppError("HTTPS_REQUIRED", key === undefined ? {} : { message: burnt(key) });
  }
  url.protocol = "https:";
  url.port = "";
  return c.redirect(url.href, 308);
};

function burnt(key: string): string {
  const hint = key.slice(-HINT_LENGTH);
  return `The key that ends in ${hint} came by plain http, where others can read it on the way: it is burnt. Revoke it in Settings > General > API keys, make a new one, and use https.`;
}
