/** Mails that tell an account's owner what was done about who gets into it, and what becomes of it when it wasn't them. */
import type { Context } from "hono";
import { closeSessions } from "../auth/sign-out.ts";
import { randomToken, sha256 } from "../auth/random.ts";
import { canSendMail, sendMail } from "../clients/mailer.ts";
import { openDatabase, type Database } from "../db/client.ts";
import type { AppContext, Env } from "../env.ts";
import { ownOrigin } from "../http/origin.ts";
import { enqueue, job } from "../jobs/job.ts";
import { log } from "../log.ts";
import { noteEvent } from "../security/note-event.ts";
import { suppressedAmong } from "../suppressions/suppressions.ts";
import { findUser } from "../users/users.ts";
import { Alert } from "./alert.ts";
import { alertMail } from "./alert-mail.ts";
import { endAllWaysIn, findLink, insertLink } from "./queries.ts";

export { deletePastLinks } from "./queries.ts";

const DAY_MS = 24 * 60 * 60_000;
/** Mail may be read after a holiday. */
const LINK_MS = 30 * DAY_MS;
/** What happened is noted a moment later. */
const MOMENT_MS = 60_000;

/** Mails one alert; a job, as whoever caused it must not be able to keep it from going out. */
export const alertJob = job("account.alert", Alert, async (env, alert) => {
  const db = openDatabase(env.DB);
  const user = await findUser(db, alert.userId);
  if (!user || user.anonymous || user.email === null || !canSendMail(env)) return;
  if ((await suppressedAmong(db, [user.email])).size > 0) return;
  const token = randomToken();
  const expires_at = new Date(Date.now() + LINK_MS).toISOString();
  await insertLink(db, { hash: await sha256(token), user_id: user.id, happened_at: alert.at, expires_at });
  const timeZone = user.time_zone ?? user.browser_time_zone ?? "UTC";
  await sendMail(env, alertMail(alert, { to: user.email, timeZone, link: `${alert.origin}/not-me/${token}` }), alert.origin);
});

/** Tells an account's owner what just happened to it; the answer waits for nothing, and a guest has nobody to tell. */
export function tellOwner(c: Context<AppContext>, alert: Omit<Alert, "at" | "origin">): void {
  if (alert.what !== "browser") noteEvent(c, "way-in", alert.userId);
  const told = enqueue(c.env, alertJob, { ...alert, at: new Date().toISOString(), origin: ownOrigin(c) });
  c.executionCtx.waitUntil(told.catch((cause: unknown) => log.error("an owner was not told", { ...named(alert), cause })));
}

/** Who it is about and what it is; whom it names stays out of the log. */
function named({ userId, what }: Pick<Alert, "userId" | "what">) {
  return { userId, what };
}

/** True for the token of a link that still holds. */
export async function isLink(db: Database, token: string): Promise<boolean> {
  return (await findLink(db, await asked(token))) !== undefined;
}

/**
 * Uses a mail's link up: ends all sessions and keys of its account, and the sign-ins that were linked since what the mail was about, as they
 * open the account again. Answers whose it is; null for a link that holds no more.
 */
export async function disown(env: Env, db: Database, token: string): Promise<string | null> {
  const { hash, now } = await asked(token);
  const link = await findLink(db, { hash, now });
  if (!link) return null;
  const linkedSince = new Date(Date.parse(link.happened_at) - MOMENT_MS).toISOString();
  if (!(await endAllWaysIn(db, link, { now, linkedSince }))) return null;
  await closeSessions(env, link.user_id, "all");
  return link.user_id;
}

async function asked(token: string): Promise<{ hash: string; now: string }> {
  return { hash: await sha256(token), now: new Date().toISOString() };
}
