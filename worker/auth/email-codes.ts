import { base64url } from "jose";
import { CODE_LIFETIME_MS } from "#shared/limits.ts";
import { canSendMail, sendMail } from "../clients/mailer.ts";
import type { Database } from "../db/client.ts";
import { configOf, type Env } from "../env.ts";
import { AppError } from "../app-error.ts";
import { countOrRefuse, hourly } from "../http/rate-limit.ts";
import { codeMail } from "./code-mail.ts";
import { signingKey } from "./keys.ts";
import { countTry, replaceCode, takeCode } from "./queries.ts";
import { randomCode } from "./random.ts";

/** Mails a code, the one live code of its address from now on. Does the same for addresses with and without an account. */
export async function sendCode(
  env: Env,
  db: Database,
  { email, ip, origin }: { email: string; ip: string; origin: string },
): Promise<void> {
  if (!canSendMail(env)) throw new AppError("MAIL_NOT_CONFIGURED");
  const { perIp, perAddress } = configOf(env).limits.codesPerHour;
  await countOrRefuse(env, `codes:ip:${ip}`, hourly(perIp), "CODE_RATE_LIMITED");
  await countOrRefuse(env, `codes:address:${email}`, hourly(perAddress), "CODE_RATE_LIMITED");
  const code = randomCode();
  const expires_at = new Date(Date.now() + CODE_LIFETIME_MS).toISOString();
  await replaceCode(db, { email, code_hash: await hash(env, email, code), expires_at });
  await sendMail(env, codeMail(email, code), origin);
}

/** Proves an address by its code and uses the code up; INVALID_CODE for every way it can be wrong. */
export async function redeemCode(env: Env, db: Database, { email, code }: { email: string; code: string }): Promise<void> {
  const expected = await countTry(db, email, new Date().toISOString());
  if (expected === undefined || !(await matches(env, { email, code, expected }))) throw new AppError("INVALID_CODE");
  if (!(await takeCode(db, email, expected))) throw new AppError("INVALID_CODE");
}

async function hash(env: Env, email: string, code: string): Promise<string> {
  const key = await signingKey(configOf(env), "sign-in-code");
  return base64url.encode(new Uint8Array(await crypto.subtle.sign("HMAC", key, payload(email, code))));
}

async function matches(env: Env, { email, code, expected }: { email: string; code: string; expected: string }): Promise<boolean> {
  const key = await signingKey(configOf(env), "sign-in-code");
  // Compares in constant time.
  return crypto.subtle.verify("HMAC", key, new Uint8Array(base64url.decode(expected)), payload(email, code));
}

function payload(email: string, code: string): Uint8Array {
  return new TextEncoder().encode(`sign-in|${email}|${code}`);
}
