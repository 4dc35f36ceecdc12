import type { Context } from "hono";
import type { Access } from "#shared/contracts/endpoint.ts";
import { openGuestAccount } from "../auth/guests.ts";
import type { AppContext, Caller } from "../env.ts";
import { AppError } from "./app-error.ts";
import { readCookie } from "./cookies.ts";

/** Lets a caller through or refuses; null only for `anyone`, and for a visitor who is no guest yet. */
export function requireAccess(c: Context<AppContext>, access: Access): Caller | null {
  const caller = c.get("caller");
  if (caller === null && access !== "anyone" && access !== "visitor") throw new AppError("UNAUTHENTICATED");
  // Whose session ended under way must not find their message with a guest.
  if (caller === null && access === "visitor" && readCookie(c, "session") !== undefined) throw new AppError("UNAUTHENTICATED");
  if (caller?.anonymous && access === "account") throw new AppError("SIGN_IN_REQUIRED");
  return caller;
}

/** The caller, or for a visitor a guest account made now: only once the request has proven well-formed. */
export async function callerOrGuest(c: Context<AppContext>): Promise<Caller> {
  return c.get("caller") ?? (await openGuestAccount(c));
}
