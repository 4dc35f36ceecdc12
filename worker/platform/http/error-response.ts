import type { Context } from "hono";
import { HTTPException } from "hono/http-exception";
import type { ErrorBody, ErrorCode } from "#shared/errors.ts";
import type { AppContext } from "#worker/platform/env.ts";
import { AppError } from "#worker/platform/errors/app-error.ts";
import { log } from "#worker/platform/log.ts";
import { noteRefusal } from "#worker/platform/security/note-event.ts";
import { pathToLog } from "#worker/platform/requests/path-to-log.ts";
import { requestIdOf } from "#worker/platform/requests/request-id.ts";
import { loadOnce } from "#worker/platform/load-once.ts";

const pages = loadOnce(() => import("./refusal-page.ts"));

/** The one exit of every failure: `{ error, code }`, or a page where a person opened the address; the unknown is logged with its cause and answered INTERNAL. */
export async function errorResponse(error: unknown, c: Context<AppContext>): Promise<Response> {
  if (error instanceof AppError) {
    if (error.status >= 500) log.error("request failed", { ...askedBy(c), code: error.code, cause: error.cause });
    else noteRefusal(c, error);
    return answer(c, error);
  }
  if (error instanceof HTTPException && error.status < 500) return known(c, "INVALID_INPUT");
  log.error("request failed", { ...askedBy(c), cause: error });
  return known(c, "INTERNAL");
}

function known(c: Context<AppContext>, code: ErrorCode): Promise<Response> {
  return answer(c, new AppError(code));
}

async function answer(c: Context<AppContext>, { message, code, status, headers }: AppError): Promise<Response> {
  if (!isOpenedByPerson(c)) return c.json({ error: message, code } satisfies ErrorBody, status, headers);
  const { refusalPage } = await pages();
  return c.body(await refusalPage(c, message), status, headers);
}

/** True where a browser shows the answer to somebody: a link was followed, e.g. to a file. */
function isOpenedByPerson(c: Context<AppContext>): boolean {
  return c.req.method === "GET" && c.req.header("sec-fetch-dest") === "document";
}

/** Which call it was and whose, as the log may name them. */
function askedBy(c: Context<AppContext>): Record<string, unknown> {
  return { path: pathToLog(c.req.path), account: c.get("caller")?.userId ?? null, request: requestIdOf(c) };
}
