import { CODE_LIFETIME_MS } from "#shared/limits.ts";
import { AppError } from "#worker/platform/errors/app-error.ts";
import { hashCode, isCode } from "#worker/people/signing-keys/code-hash.ts";
import { randomCode } from "#worker/platform/random.ts";
import { canSendMail, sendMail, type Mail } from "#worker/platform/clients/mailer.ts";
import type { Database } from "#worker/platform/db/client.ts";
import { configOf, type Caller, type Env } from "#worker/platform/env.ts";
import { countOrRefuse, daily, takeBackEvent, hourly, refuseIfFull } from "#worker/platform/http/rate-limit.ts";
import { accountOfAddress, hasRoom, verifiedAddresses } from "#worker/people/addresses/verified-addresses.ts";
import { countTry, deleteAdditional, insertAdditional, replaceCode, consumeCode } from "./queries.ts";
import { APP_NAME } from "#shared/app.ts";

export { deleteExpiredCodes } from "./queries.ts";

type Asker = { caller: Caller; ip: string };

/**
 * Mails a code to an address that the caller wants to prove, their one live code from now on. Does the same for an address of
 * somebody else's account: whose it is, only its mailbox's reader may learn.
 */
export async function sendAdditionalCode(
  env: Env,
  db: Database,
  { caller, ip, email, origin }: Asker & { email: string; origin: string },
): Promise<void> {
  if (!canSendMail(env)) throw new AppError("MAIL_NOT_CONFIGURED");
  if ((await verifiedAddresses(db, caller.userId)).includes(email))
    throw new AppError("EMAIL_IN_USE", { message: "This is an address of your account already." });
  if (!(await hasRoom(db, caller.userId))) throw new AppError("EMAILS_FULL");
  const { codeMailsPerHour, wrongCodesPerDay } = configOf(env).limits;
  await refuseIfFull(env, wrongCodesFor(email), daily(wrongCodesPerDay), "WRONG_CODES_TODAY");
  for (const { name, limit } of limitsOf(env, { caller, ip }))
    await countOrRefuse(env, `address-codes:${name}`, hourly(limit), "CODE_RATE_LIMITED");
  await countOrRefuse(env, `address-codes:address:${email}`, hourly(codeMailsPerHour), "CODE_RATE_LIMITED");
  const code = randomCode();
  const code_hash = await hashCode(env, "additional-email-code", { about: codePurpose(caller.userId, email), code });
  const expires_at = new Date(Date.now() + CODE_LIFETIME_MS).toISOString();
  await replaceCode(db, { user_id: caller.userId, email, code_hash, expires_at });
  await sendMail(env, codeMail({ to: email, code }), origin);
}

/** Proves the address of the caller's live code, and uses the code up; INVALID_CODE for every way it can be wrong, WRONG_CODES_TODAY after too many for the address, EMAIL_IN_USE where the address is another account's. Answers the address. */
export async function redeemAdditionalCode(env: Env, db: Database, { caller, ip, code }: Asker & { code: string }): Promise<string> {
  const { userId } = caller;
  const limits = limitsOf(env, { caller, ip });
  // Counted before, as tries may come all at once, and given back where it was right.
  for (const { name, limit } of limits) await countOrRefuse(env, `address-code-tries:${name}`, hourly(limit), "CODE_TRIES_LIMITED");
  const now = new Date().toISOString();
  const live = await countTry(db, userId, now);
  if (!live) throw new AppError("INVALID_CODE");
  // Whoever enters them, and the same for right and wrong ones: a guess learns nothing here.
  await countOrRefuse(env, wrongCodesFor(live.email), daily(configOf(env).limits.wrongCodesPerDay), "WRONG_CODES_TODAY");
  const about = codePurpose(userId, live.email);
  const isRight = await isCode(env, "additional-email-code", { about, code, expected: live.hash });
  if (!isRight || !(await consumeCode(db, userId, live.hash))) throw new AppError("INVALID_CODE");
  const counted = [...limits.map(({ name }) => `address-code-tries:${name}`), wrongCodesFor(live.email)];
  await Promise.all(counted.map((name) => takeBackEvent(env, name)));
  const isTaken = await insertAdditional(db, { email: live.email, user_id: userId, verified_at: now });
  if (!isTaken) throw new AppError((await accountOfAddress(db, live.email)) === null ? "EMAILS_FULL" : "EMAIL_IN_USE");
  return live.email;
}

/** Takes an address from a user's account: mail from it is a stranger's from now on, and a code for it holds no longer. False where it was none of theirs. */
export async function removeAdditional(db: Database, userId: string, email: string): Promise<boolean> {
  return deleteAdditional(db, userId, email);
}

/** The person first: one who is refused by themselves takes nothing from the others of their line. */
function limitsOf(env: Env, { caller, ip }: Asker): { name: string; limit: number }[] {
  const { perBrowser, perIp } = configOf(env).limits.codesPerHour;
  return [
    { name: `user:${caller.userId}`, limit: perBrowser },
    { name: `ip:${ip}`, limit: perIp },
  ];
}

/** What wrong codes for an address are counted by, whoever enters them; apart from those to sign in. */
function wrongCodesFor(email: string): string {
  return `wrong-address-codes:${email}`;
}

/** What a code stands for: it holds for this person and address alone. */
function codePurpose(userId: string, email: string): string {
  return `additional-email|${userId}|${email}`;
}

/** The mail with the code that proves an additional address. It names nobody: who asked may have mistyped the address. */
function codeMail({ to, code }: { to: string; code: string }): Mail {
  const use = `Somebody wants to add this address to their ${APP_NAME} account. If that is you, enter the code there; it is valid for 10 minutes.`;
  const ignore = "If it is not, ignore the mail: without the code nothing happens. Never pass it on.";
  return {
    to,
    subject: `${code} confirms your address for ${APP_NAME}`,
    text: `Your verification code for ${APP_NAME} is ${code}\n\n${use}\n\n${ignore}\n`,
    html: [
      '<div style="font-family:system-ui,sans-serif;font-size:16px;line-height:1.5;color:#1c1b19;max-width:480px">',
      `<p>Your verification code for ${APP_NAME}</p>`,
      `<p style="font-size:32px;font-weight:600;letter-spacing:6px;margin:16px 0">${code}</p>`,
      `<p>${use}</p>`,
      `<p style="color:#57605a;font-size:14px">${ignore}</p>`,
      "</div>",
    ].join(""),
  };
}
