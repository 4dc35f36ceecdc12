import type { Context } from "hono";
import { HTTPException } from "hono/http-exception";
import { ERRORS, type ErrorBody, type ErrorCode } from "#shared/errors.ts";
import type { AppContext } from "../env.ts";
import { AppError } from "../app-error.ts";
import { log } from "../log.ts";

/** Calls whose addresses hold what opens something to whoever knows it. */
const SECRET_PATHS = [/^(\/api\/shared\/[^/]+\/)[^/]+/, /^(\/api\/teams\/invitations\/)[^/]+/, /^(\/api\/invites\/)[^/]+/];

/** The one exit of every failure: `{ error, code }`; the unknown is logged with its cause and answered INTERNAL. */
export function errorResponse(error: unknown, c: Context<AppContext>): Response {
  if (error instanceof AppError) {
    if (error.status >= 500) log.error("request failed", { path: pathToLog(c.req.path), code: error.code, cause: error.cause });
    return c.json({ error: error.message, code: error.code } satisfies ErrorBody, error.status, error.headers);
  }
  if (error instanceof HTTPException && error.status < 500) return known(c, "INVALID_INPUT");
  log.error("request failed", { path: pathToLog(c.req.path), cause: error });
  return known(c, "INTERNAL");
}

/** Answers a code with its table's message. */
export function known(c: Context<AppContext>, code: ErrorCode): Response {
  const { status, message } = ERRORS[code];
  return c.json({ error: message, code } satisfies ErrorBody, status);
}

/** The path of a call without the tokens and codes in it. */
export function pathToLog(path: string): string {
  return SECRET_PATHS.reduce((masked, secret) => masked.replace(secret, "$1…"), path);
}
