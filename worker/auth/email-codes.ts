import { CODE_LIFETIME_MS } from "#shared/limits.ts";
import { makeLinkToken } from "#shared/sign-in/sign-in-link.ts";
import { canSendMail, sendMail } from "../clients/mailer.ts";
import type { Database } from "../db/client.ts";
import { configOf, type Env } from "../env.ts";
import { AppError } from "../app-error.ts";
import { countIfFree, countOrRefuse, daily, giveBack, hourly, isFull } from "../http/rate-limit.ts";
import { hashCode, isCode } from "./code-hash.ts";
import { codeMail } from "./code-mail.ts";
import { countTry, findLink, replaceCode, takeCode, takeLink } from "./queries.ts";
import { randomCode, randomToken, sha256 } from "./random.ts";

/** Who asks: the browser by its cookie, and the line by its address; `isKnown` for a browser that signed in to the address before. */
type Asker = { browser: string; ip: string; isKnown: boolean };

/** What a mail's link leads to, and whether it is to join the Google account that its browser remembers. */
type Link = { origin: string; returnUrl: string; invite: string | null; joinsGoogle: boolean };
type Input = Asker & Link & { email: string };

/**
 * Mails a code, the one live code of this browser and address from now on, and a link; a link alone, and answers so, once strangers
 * entered too many wrong codes for the address. Does the same for addresses with and without an account, and whatever others ask for
 * the same address changes nothing for a browser that signed in to it before.
 */
export async function sendCode(env: Env, db: Database, asked: Input): Promise<{ isLinkAlone: boolean }> {
  const { email, browser, ip, isKnown, origin } = asked;
  if (!canSendMail(env)) throw new AppError("MAIL_NOT_CONFIGURED");
  for (const { name, limit } of limitsOf(env, { browser, ip }).toReversed())
    await countOrRefuse(env, `codes:${name}`, hourly(limit), "CODE_RATE_LIMITED");
  const { codeMailsPerHour, wrongCodesPerDay } = configOf(env).limits;
  if (!isKnown) await countOrRefuse(env, `codes:address:${email}`, hourly(codeMailsPerHour), "CODE_RATE_LIMITED");
  const isLinkAlone = !isKnown && (await isFull(env, wrongCodesFor(email), daily(wrongCodesPerDay)));
  const code = isLinkAlone ? null : randomCode();
  const token = makeLinkToken(randomToken(), email);
  const expires_at = new Date(Date.now() + CODE_LIFETIME_MS).toISOString();
  // What no six digits are equal to stands for no code.
  const code_hash = await hashCode(env, "sign-in-code", { about: wordsFor(browser, email), code: code ?? randomToken() });
  await replaceCode(db, { browser, email, code_hash, link_hash: await sha256(token), expires_at });
  await sendMail(env, codeMail({ to: email, code, link: linkTo(token, asked) }), origin);
  return { isLinkAlone };
}

type Proof = { browser: string | null; ip: string; isKnown: boolean; email: string; code: string };

/**
 * Proves an address by the code that this browser asked for, and uses it up; INVALID_CODE for every way it can be wrong,
 * CODE_TRIES_LIMITED after too many of them, LINK_ONLY after too many of strangers' for the address. Where `admit` throws for a right
 * code, the code still holds; else what it answers is answered.
 */
export async function redeemCode<T>(env: Env, db: Database, proof: Proof, admit: () => Promise<T>): Promise<T> {
  const { browser, ip, isKnown, email, code } = proof;
  // A browser that asked for no code has none that could be guessed.
  if (browser === null) throw new AppError("INVALID_CODE");
  const limits = limitsOf(env, { browser, ip });
  // Counted before, as tries may come all at once, and given back where it was right.
  for (const { name, limit } of limits) await countOrRefuse(env, `code-tries:${name}`, hourly(limit), "CODE_TRIES_LIMITED");
  // It reads while the try is counted; nothing of it is looked at, and nobody waits for it, before the code has proven right.
  const admitting = admit();
  admitting.catch(() => undefined);
  const expected = await countTry(db, { browser, email, now: new Date().toISOString() });
  if (expected === undefined) throw new AppError("INVALID_CODE");
  const counted = [...limits.map(({ name }) => `code-tries:${name}`), ...(isKnown ? [] : [wrongCodesFor(email)])];
  // The same for right and wrong ones: a guess learns nothing here.
  if (!isKnown && !(await countIfFree(env, wrongCodesFor(email), daily(configOf(env).limits.wrongCodesPerDay)))) {
    throw new AppError("LINK_ONLY");
  }
  const about = wordsFor(browser, email);
  if (!(await isCode(env, "sign-in-code", { about, code, expected }))) throw new AppError("INVALID_CODE");
  const giveTriesBack = () => Promise.all(counted.map((name) => giveBack(env, name)));
  let admitted: T;
  try {
    admitted = await admitting;
  } catch (cause) {
    await giveTriesBack();
    throw cause;
  }
  if (!(await takeCode(db, { browser, email, hash: expected }))) throw new AppError("INVALID_CODE");
  await giveTriesBack();
  return admitted;
}

/**
 * The address that a mail's link proves, in whatever browser it is opened, and what `admit` answers for it; the link is used up, and so is
 * the mail's code. Throws INVALID_LINK. Where `admit` throws, the link still holds.
 */
export async function redeemLink<T>(
  db: Database,
  token: string,
  admit: (email: string) => Promise<T>,
): Promise<{ email: string; admitted: T }> {
  const link = { hash: await sha256(token), now: new Date().toISOString() };
  const proven = await findLink(db, link);
  if (proven === undefined) throw new AppError("INVALID_LINK");
  const admitted = await admit(proven);
  const email = await takeLink(db, link);
  if (email === undefined) throw new AppError("INVALID_LINK");
  return { email, admitted };
}

/** What wrong codes for an address are counted by, in whatever browser they are entered. */
function wrongCodesFor(email: string): string {
  return `wrong-codes:address:${email}`;
}

/** The browser first: one that is refused by itself takes nothing from the others of its line. */
function limitsOf(env: Env, { browser, ip }: Pick<Asker, "browser" | "ip">): { name: string; limit: number }[] {
  const { perBrowser, perIp } = configOf(env).limits.codesPerHour;
  return [
    { name: `browser:${browser}`, limit: perBrowser },
    { name: `ip:${ip}`, limit: perIp },
  ];
}

/** The token stands behind the `#`, which no server and no log gets to see. */
function linkTo(token: string, { origin, returnUrl, invite, joinsGoogle }: Link): string {
  const query = new URLSearchParams({ ...(returnUrl !== "/" && { returnUrl }), ...(invite !== null && { invite }) });
  return `${origin}/auth${query.size > 0 ? `?${query.toString()}` : ""}#${new URLSearchParams({ token, ...(joinsGoogle && { join: "google" }) }).toString()}`;
}

/** What a code stands for: it holds for this browser and address alone. */
function wordsFor(browser: string, email: string): string {
  return `sign-in|${browser}|${email}`;
}
