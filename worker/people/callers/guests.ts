import type { Context } from "hono";
import { type AppContext, type Caller, configOf } from "#worker/platform/env.ts";
import { AppError } from "#worker/platform/errors/app-error.ts";
import { writeSession } from "#worker/people/callers/session.ts";
import { createGuest } from "#worker/people/users/users.ts";
import { countNewGuest } from "./guest-limits.ts";
import { regionOf } from "#worker/people/sessions/region.ts";
import { openSession } from "#worker/people/sessions/sessions.ts";

/** Makes a visitor a guest: an account without a mail address, known by its cookie alone. */
export async function openGuestAccount(c: Context<AppContext>): Promise<Caller> {
  if (configOf(c.env).limits.guestMessagesPerDay === 0) throw new AppError("GUESTS_OFF");
  await countNewGuest(c.env, c.get("ip"));
  const guest = await createGuest(c.get("db"), "Guest");
  const opened = await openSession(c.get("db"), guest, {
    userAgent: c.req.header("user-agent") ?? "",
    region: regionOf(c.req.raw.cf ?? {}),
  });
  await writeSession(c, opened.secret, opened);
  return opened.caller;
}
