import type { Context, MiddlewareHandler } from "hono";
import { type AppContext, configOf } from "#worker/platform/env.ts";
import { AppError } from "#worker/platform/errors/app-error.ts";
import { isLocalhost } from "#worker/platform/config/localhost.ts";

const SAFE_METHODS = new Set(["GET", "HEAD", "OPTIONS"]);

/** The public origin of this deployment: the configured one, or the request's own. */
export function ownOrigin(c: Context<AppContext>): string {
  return configOf(c.env).origin ?? new URL(c.req.url).origin;
}

/** The address that was asked about last: each request asks about its own several times. */
let last = { url: "", isPlain: false };

/** True for plain http on this machine, where cookies can have neither `Secure` nor a `__Host-` name (Safari refuses both). */
export function isPlainLocalhost(url: string): boolean {
  if (last.url === url) return last.isPlain;
  const { protocol, hostname } = new URL(url);
  const isPlain = protocol === "http:" && isLocalhost(hostname);
  last = { url, isPlain };
  return isPlain;
}

/** Refuses state-changing requests and sockets that another site's page started. */
export const requireOwnOrigin: MiddlewareHandler<AppContext> = async (c, next) => {
  const isSocket = c.req.header("upgrade")?.toLowerCase() === "websocket";
  if ((isSocket || !SAFE_METHODS.has(c.req.method)) && !isOwn(c)) throw new AppError("FOREIGN_ORIGIN");
  // Another site's page may send its visitor here, but may not load our answers into itself (an image, a script, a frame's fetch).
  if (c.req.header("sec-fetch-site") === "cross-site" && c.req.header("sec-fetch-mode") !== "navigate")
    throw new AppError("FOREIGN_ORIGIN");
  await next();
};

function isOwn(c: Context<AppContext>): boolean {
  const origin = c.req.header("origin");
  if (origin === undefined) return c.req.header("sec-fetch-site") === "same-origin";
  return origin === new URL(c.req.url).origin || origin === ownOrigin(c);
}
