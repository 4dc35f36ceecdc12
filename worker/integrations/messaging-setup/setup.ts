import { APP_NAME } from "#shared/app.ts";
import type { WhatsAppSetup } from "#shared/contracts/account/whatsapp.ts";
import { CODE_LIFETIME_MS, WHATSAPP_CODES_PER_HOUR } from "#shared/limits.ts";
import { AppError } from "#worker/platform/errors/app-error.ts";
import { hashCode, isCode } from "#worker/people/signing-keys/code-hash.ts";
import { randomCode } from "#worker/platform/random.ts";
import { canSendMail, sendMail } from "#worker/platform/clients/mailer.ts";
import { sendCode } from "#worker/platform/clients/whatsapp/send.ts";
import type { Database } from "#worker/platform/db/client.ts";
import { configOf, type Caller, type Env } from "#worker/platform/env.ts";
import { countOrRefuse, daily, takeBackEvent, hourly, refuseIfFull } from "#worker/platform/http/rate-limit.ts";
import { log } from "#worker/platform/log.ts";
import { letter } from "#worker/platform/letters/letter.ts";
import { forgetConversation } from "#worker/integrations/messaging/forget-conversation.ts";
import { findLink, linkNumber, linkOf, unlinkNumber } from "#worker/people/messaging-number/messaging-number.ts";
import { hubOf } from "#worker/conversation/hub/stub.ts";
import { getUserRow } from "#worker/people/users/users.ts";
import { countTry, deleteCode, findPendingNumber, replaceCode, consumeCode } from "./queries.ts";
import { parsePhoneNumberFromString } from "libphonenumber-js/max";

type Asker = { caller: Caller; ip: string };

/** The service says so of a number that does not use the app. */
const NOT_ON_WHATSAPP = 131_026;

/** The caller's number, the one they are about to prove, and where one writes to. */
export async function describeSetup(env: Env, db: Database, userId: string): Promise<WhatsAppSetup> {
  const service = serviceOf(env);
  const [link, awaited] = await Promise.all([linkOf(db, userId), findPendingNumber(db, userId, new Date().toISOString())]);
  return {
    phone_number: link?.phone ?? null,
    awaited_number: awaited ?? null,
    write_to: service.number ?? null,
    simulated: service.isSimulated,
  };
}

/**
 * Sends a code to a number that the caller wants to prove, their one live code from now on, and answers the number as E.164. Does the
 * same for a number of somebody else's account: whose it is, only its holder may learn.
 */
export async function sendNumberCode(
  env: Env,
  db: Database,
  { caller, ip, phoneNumber }: Asker & { phoneNumber: string },
): Promise<string> {
  serviceOf(env);
  const phone = toPhoneNumber(phoneNumber);
  const known = await linkOf(db, caller.userId);
  // The app may have another id of them by now: proving the number again has it answered.
  if (known?.phone === phone && known.waUserId === null) throw new AppError("NUMBER_LINKED");
  await refuseIfFull(env, wrongCodesFor(phone), daily(configOf(env).limits.wrongCodesPerDay), "WRONG_CODES_TODAY");
  const keys = [...limitsOf(env, { caller, ip }), { name: `messaging-codes:number:${phone}`, limit: WHATSAPP_CODES_PER_HOUR }];
  for (const { name, limit } of keys) await countOrRefuse(env, name, hourly(limit), "CODE_RATE_LIMITED");
  const code = randomCode();
  const code_hash = await hashCode(env, "messaging-code", { about: codePurpose(caller.userId, phone), code });
  const expires_at = new Date(Date.now() + CODE_LIFETIME_MS).toISOString();
  await replaceCode(db, { user_id: caller.userId, phone, code_hash, expires_at });
  const sent = await sendCode(env, { phone, code });
  if (sent.ok) return phone;
  if (!sent.isUncertain) {
    // Nothing went out: nobody waits for it, and it does not count.
    await Promise.all([deleteCode(db, caller.userId), ...keys.map(({ name }) => takeBackEvent(env, name))]);
  }
  if (sent.code === NOT_ON_WHATSAPP) throw new AppError("NOT_ON_WHATSAPP");
  throw new AppError("WHATSAPP_FAILED", { cause: new Error(`The messaging app refused a code (${sent.code})`) });
}

/**
 * Proves the number of the caller's live code and uses the code up; INVALID_CODE for every way it can be wrong, WRONG_CODES_TODAY after
 * too many for the number. The number leaves
 * the account that had it, whose owner is notified by mail at `origin`'s address. Answers the number as people read it.
 */
export async function redeemNumberCode(
  env: Env,
  db: Database,
  { caller, ip, code, origin }: Asker & { code: string; origin: string },
): Promise<string> {
  serviceOf(env);
  const { userId } = caller;
  const { codesPerHour, wrongCodesPerDay } = configOf(env).limits;
  const { perBrowser, perIp } = codesPerHour;
  const limits = [
    { name: `messaging-code-tries:user:${userId}`, limit: perBrowser },
    { name: `messaging-code-tries:ip:${ip}`, limit: perIp },
  ];
  // Counted before, as tries may come all at once, and given back where it was right.
  for (const { name, limit } of limits) await countOrRefuse(env, name, hourly(limit), "NUMBER_TRIES_LIMITED");
  const live = await countTry(db, userId, new Date().toISOString());
  if (!live) throw new AppError("INVALID_CODE");
  // Whoever enters them, and the same for right and wrong ones: a guess learns nothing here.
  await countOrRefuse(env, wrongCodesFor(live.phone), daily(wrongCodesPerDay), "WRONG_CODES_TODAY");
  const about = codePurpose(userId, live.phone);
  const isRight = await isCode(env, "messaging-code", { about, code, expected: live.hash });
  if (!isRight || !(await consumeCode(db, userId, live.hash))) throw new AppError("INVALID_CODE");
  await Promise.all([...limits.map(({ name }) => name), wrongCodesFor(live.phone)].map((name) => takeBackEvent(env, name)));
  const former = await findLink(db, { phone: live.phone, waUserId: null });
  await linkNumber(db, { userId, phone: live.phone });
  const shown = shownNumber(live.phone);
  if (!former || former.userId === userId) return shown;
  await forgetConversation(env, db, former.userId);
  const notified = notifyFormer(env, db, { userId: former.userId, phone: live.phone, origin });
  // The number is the caller's whether or not that is known there already.
  await notified.catch((cause: unknown) => log.error("the former owner of a number was not notified", { cause }));
  return shown;
}

/** Unlinks an account's number: what it writes is a stranger's from now on, and a code for one holds no longer. Answers the number as people read it; null for none. */
export async function removeNumber(env: Env, db: Database, userId: string): Promise<string | null> {
  const link = await linkOf(db, userId);
  await Promise.all([unlinkNumber(db, userId), deleteCode(db, userId)]);
  await forgetConversation(env, db, userId);
  return link && shownNumber(link.phone);
}

function serviceOf(env: Env) {
  const service = configOf(env).whatsapp;
  if (!service) throw new AppError("WHATSAPP_OFF");
  return service;
}

/** The person first: one who is refused by themselves takes nothing from the others of their line. */
function limitsOf(env: Env, { caller, ip }: Asker): { name: string; limit: number }[] {
  return [
    { name: `messaging-codes:user:${caller.userId}`, limit: WHATSAPP_CODES_PER_HOUR },
    { name: `messaging-codes:ip:${ip}`, limit: configOf(env).limits.codesPerHour.perIp },
  ];
}

/** What wrong codes for a number are counted by, whoever enters them. */
function wrongCodesFor(phone: string): string {
  return `wrong-number-codes:${phone}`;
}

/** What a code stands for: it holds for this person and number alone. */
function codePurpose(userId: string, phone: string): string {
  return `messaging|${userId}|${phone}`;
}

async function notifyFormer(
  env: Env,
  db: Database,
  { userId, phone, origin }: { userId: string; phone: string; origin: string },
): Promise<void> {
  const { email } = await getUserRow(db, userId);
  await hubOf(env, userId).noteUserChanged();
  if (email === null || !canSendMail(env)) return;
  const shown = shownNumber(phone);
  const mail = letter({
    to: email,
    subject: `${shown} is linked to another account now`,
    paragraphs: [
      `Somebody who reads WhatsApp at ${shown} has linked this number to another ${APP_NAME} account. What it writes no longer reaches your chats; they stay as they are.`,
      "If the number is still yours, link it again: the code that arrives there proves it.",
    ],
    button: { label: "Open WhatsApp setup", url: `${origin}/?setup=whatsapp` },
    footnote: `You get this mail because the number was linked to your ${APP_NAME} account.`,
  });
  await sendMail(env, mail, origin);
}

/** A typed number as E.164; one without a country's code is taken as one of the United States. Throws INVALID_INPUT for what is none. */
function toPhoneNumber(given: string): string {
  const parsed = parsePhoneNumberFromString(given, "US");
  if (!parsed?.isValid() || parsed.ext) {
    throw new AppError("INVALID_INPUT", { message: "Enter a whole number, in its international form." });
  }
  return parsed.number;
}

/** A number for people, in groups: `+49 1512 3456789`. */
function shownNumber(number: string): string {
  return parsePhoneNumberFromString(number)?.formatInternational() ?? number;
}
