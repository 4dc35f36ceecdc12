import type { Context } from "hono";
import * as z from "zod/mini";
import type { Access } from "#shared/contracts/endpoint.ts";
import { openGuestAccount } from "../auth/guests.ts";
import { openDatabase } from "../db/client.ts";
import type { AppContext, Caller } from "../env.ts";
import { AppError } from "../app-error.ts";
import { isAdministratorNow } from "../users/users.ts";
import { readCookie } from "./cookies.ts";

/** Lets a caller through or refuses; null only for `anyone`, where an ended session is none, and for a visitor who is no guest yet. */
export async function requireAccess(c: Context<AppContext>, access: Access): Promise<Caller | null> {
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
export async function callerOrGuest(c: Context<AppContext>): Promise<Caller> {
  return c.get("caller") ?? (await openGuestAccount(c));
}

const FirstMessage = z.object({ parent_id: z.null() });

/**
 * What a refusal means to a guest whom this very request made. A visitor's first message whose answer was lost on the way comes
 * again without the cookie that answer carried: its chat is there and belongs to a guest whom this browser never became.
 */
export function refusalOfNewcomer(error: unknown, body: unknown): unknown {
  const isLost = error instanceof AppError && error.code === "NOT_FOUND" && FirstMessage.safeParse(body).success;
  return isLost
    ? new AppError("CONFLICT", { message: "The first answer never arrived here. Send it as a new chat.", cause: error })
    : error;
}
