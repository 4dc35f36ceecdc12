/** Mails that tell an account's owner what was done about who gets into it, and what becomes of it when it wasn't them. */
import type { Context } from "hono";
import * as z from "zod/mini";
import { closeSessions } from "#worker/people/sessions/sign-out.ts";
import { randomToken, sha256 } from "#worker/platform/random.ts";
import { canSendMail, type Mail, sendMail } from "#worker/platform/clients/mailer.ts";
import { type Database, openDatabase } from "#worker/platform/db/client.ts";
import type { AppContext, Env } from "#worker/platform/env.ts";
import { ownOrigin } from "#worker/platform/http/origin.ts";
import { enqueue, job } from "#worker/platform/jobs/job.ts";
import { log } from "#worker/platform/log.ts";
import { noteEvent } from "#worker/platform/security/note-event.ts";
import { suppressedAmong } from "#worker/people/suppressions/suppressions.ts";
import { findUser } from "#worker/people/users/users.ts";
import { deleteAllAccess, findLink, insertLink } from "./queries.ts";
import { APP_NAME } from "#shared/app.ts";
import { dayAndTime } from "#shared/schedules/describe-when.ts";
import { isPlainName, letter } from "#worker/platform/letters/letter.ts";
import { cleanSubject } from "#worker/platform/letters/subject.ts";

/** What an account's owner is notified by mail, as it decides who gets in: `-gone` is what was removed. */
const AlertKind = z.enum(["browser", "key", "address", "address-gone", "number", "number-gone", "linked", "linked-gone"]);

/** Something that happened to an account at `at` (ISO 8601); `detail` names the browser, key, address, number or linked sign-in. */
const Alert = z.object({ userId: z.string(), what: AlertKind, detail: z.string(), at: z.string(), origin: z.string() });
type Alert = z.infer<typeof Alert>;

type Addressed = { to: string; timeZone: string; link: string };

/** The mail about one thing that decides who gets into an account, with its one button. */
function alertMail({ what, detail, at }: Pick<Alert, "what" | "detail" | "at">, { to, timeZone, link }: Addressed): Mail {
  const { subject, sentence } = ALERT_TEXTS[what](detail);
  return letter({
    to,
    subject: cleanSubject(subject),
    paragraphs: [
      `${sentence} It was ${timeIn(timeZone, at)}.`,
      "If that was you, there is nothing to do. If not, press the button: the page behind it signs you out everywhere and ends all keys.",
    ],
    button: { label: "This wasn\u2019t me", url: link },
    footnote: `You get this mail because it is about who gets into your ${APP_NAME} account. Such mails cannot be switched off.`,
  });
}

const ALERT_TEXTS: Record<Alert["what"], (detail: string) => { subject: string; sentence: string }> = {
  browser: (browser) => ({
    subject: `New sign-in to your ${APP_NAME} account`,
    sentence: `Somebody signed in to your account from a browser that is new to it: ${browser}.`,
  }),
  key: (name) => ({
    subject: `A new key for your ${APP_NAME} account`,
    sentence: `A key was made by which another program acts in your account${isPlainName(name) ? `, named \u2018${name.trim()}\u2019` : ""}.`,
  }),
  address: (email) => ({
    subject: `An address was added to your ${APP_NAME} account`,
    sentence: `What is mailed from ${email} counts as yours from now on.`,
  }),
  "address-gone": (email) => ({
    subject: `An address was removed from your ${APP_NAME} account`,
    sentence: `What is mailed from ${email} no longer counts as yours.`,
  }),
  number: (number) => ({
    subject: `A number was added to your ${APP_NAME} account`,
    sentence: `What is written in WhatsApp from ${number} counts as yours from now on.`,
  }),
  "number-gone": (number) => ({
    subject: `A number was removed from your ${APP_NAME} account`,
    sentence: `What is written in WhatsApp from ${number} no longer counts as yours.`,
  }),
  linked: (email) => ({
    subject: `A Google sign-in was added to your ${APP_NAME} account`,
    sentence: `Somebody signed in to your account with Google as ${email}. From now on that Google account opens yours; Settings > Linked sign-ins ends it.`,
  }),
  "linked-gone": (email) => ({
    subject: `A Google sign-in was removed from your ${APP_NAME} account`,
    sentence: `The Google account ${email ? `${email} ` : ""}no longer opens yours, and other browsers were signed out.`,
  }),
};

function timeIn(timeZone: string, at: string): string {
  return `${dayAndTime(Date.parse(at), timeZone)} (${timeZone})`;
}

export { deleteExpiredLinks } from "./queries.ts";

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
  const mail = alertMail(alert, { to: user.email, timeZone, link: `${alert.origin}/not-me/${token}` });
  await sendMail(env, { ...mail, key: `alert-${user.id}-${alert.what}-${alert.at}` }, alert.origin);
});

/** Tells an account's owner what just happened to it; the answer waits for nothing, and a guest has nobody to tell. */
export function notifyOwner(c: Context<AppContext>, alert: Omit<Alert, "at" | "origin">): void {
  if (alert.what !== "browser") noteEvent(c, "way-in", alert.userId);
  const queued = enqueue(c.env, alertJob, { ...alert, at: new Date().toISOString(), origin: ownOrigin(c) });
  c.executionCtx.waitUntil(queued.catch((cause: unknown) => log.error("an owner was not notified", { ...named(alert), cause })));
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
export async function endAllAccess(env: Env, db: Database, token: string): Promise<string | null> {
  const { hash, now } = await asked(token);
  const link = await findLink(db, { hash, now });
  if (!link) return null;
  const linkedSince = new Date(Date.parse(link.happened_at) - MOMENT_MS).toISOString();
  if (!(await deleteAllAccess(db, link, { now, linkedSince }))) return null;
  await closeSessions(env, link.user_id, "all");
  return link.user_id;
}

async function asked(token: string): Promise<{ hash: string; now: string }> {
  return { hash: await sha256(token), now: new Date().toISOString() };
}
