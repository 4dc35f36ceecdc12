import type { Context } from "hono";
import { AppError } from "#worker/platform/errors/app-error.ts";
import { type AppContext, configOf } from "#worker/platform/env.ts";
import { ownOrigin } from "./origin.ts";

/** How long the file may be believed, in milliseconds: less than a year, as RFC 9116 recommends. */
const HOLDS_MS = 90 * 24 * 60 * 60_000;

/** Whom to tell about a weakness (RFC 9116): the operator, where the deployment names one. */
export function securityText(c: Context<AppContext>): Response {
  const { operator } = configOf(c.env).mail;
  if (operator === undefined) throw new AppError("NOT_FOUND");
  const lines = [
    `Contact: mailto:${operator}`,
    `Expires: ${new Date(Date.now() + HOLDS_MS).toISOString()}`,
    "Preferred-Languages: en",
    `Canonical: ${ownOrigin(c)}/.well-known/security.txt`,
  ];
  return c.body(`${lines.join("\n")}\n`, 200, { "content-type": "text/plain; charset=utf-8", "cache-control": "no-cache" });
}
