import type { Context, Hono } from "hono";
import {
  checkFreshSignIn,
  finishGoogleSignIn,
  signInByLink,
  signOut,
  startEmailSignIn,
  startGoogleSignIn,
  verifyEmailSignIn,
} from "#shared/contracts/account/auth.ts";
import { endLinkedSignIn, listLinkedSignIns } from "#shared/contracts/account/linked-sign-ins.ts";
import { endSession, listSessions } from "#shared/contracts/account/sessions.ts";
import { CODE_LIFETIME_MS, FRESH_OWN_MIN } from "#shared/limits.ts";
import { readInviteCode } from "#shared/sign-in/invite-code.ts";
import { shortReturnUrl } from "#shared/sign-in/return-url.ts";
import { notifyOwner } from "#worker/people/alerts/alerts.ts";
import { type AppContext, configOf, type Env } from "#worker/platform/env.ts";
import { ownOrigin } from "#worker/platform/http/origin.ts";
import { serve } from "#worker/people/callers/serve.ts";
import { noteEvent } from "#worker/platform/security/note-event.ts";
import { dropSession } from "#worker/people/callers/session.ts";
import { describeUser } from "#worker/people/users/users.ts";
import { requireFreshSignIn } from "#worker/people/sessions/fresh-sign-in.ts";
import { finishGoogle, startGoogle } from "./google.ts";
import { readLinkedSignIns, removeLinkedSignIn } from "./linked-sign-ins.ts";
import { endOwnSession, listOwnSessions } from "#worker/people/sessions/own-sessions.ts";
import { findAccountFor, signIn, type Welcome } from "./sign-in.ts";
import { clearUnprovenGoogle, readUnprovenGoogle } from "./unproven-google.ts";
import { isKnownBrowser } from "./known-browser.ts";
import { endSessions } from "#worker/people/sessions/sign-out.ts";
import { readCookie, writeCookie } from "#worker/platform/http/cookies.ts";
import { randomCode, randomToken, sha256 } from "#worker/platform/random.ts";
import { makeLinkToken } from "#shared/sign-in/sign-in-link.ts";
import { canSendMail, type Mail, sendMail } from "#worker/platform/clients/mailer.ts";
import type { Database } from "#worker/platform/db/client.ts";
import { AppError } from "#worker/platform/errors/app-error.ts";
import { countIfAllowed, countOrRefuse, daily, hourly, isFull, takeBackEvent } from "#worker/platform/http/rate-limit.ts";
import { hashCode, isCode } from "#worker/people/signing-keys/code-hash.ts";
import { countTry, findLink, replaceCode, takeCode, consumeLink } from "./queries.ts";
import { APP_NAME } from "#shared/app.ts";
import { escapeHtml } from "#worker/platform/http/escape-html.ts";

/** Longer than what is counted by it, in seconds: an hour's codes. */
const BROWSER_COOKIE_S = 2 * 60 * 60;

/** Mounts signing in and out. */
export const authRoutes =
  (welcome: Welcome) =>
  (app: Hono<AppContext>): void => {
    serve(app, startEmailSignIn, async ({ c, body }) => {
      const origin = ownOrigin(c);
      const invite = body.invite === undefined ? null : readInviteCode(body.invite);
      const asker = { browser: await rememberBrowser(c), ip: c.var.ip, isKnown: await isKnownBrowser(c, body.email) };
      const link = { origin, returnUrl: shortReturnUrl(body.returnUrl, origin), invite, joinsGoogle: body.joins_google === true };
      const input = { ...asker, ...link, email: body.email };
      const { isLinkAlone } = await sendCode(c.env, c.var.db, input);
      return { ok: true as const, link_only: isLinkAlone };
    });

    serve(app, verifyEmailSignIn, async ({ c, body }) => {
      const google = body.joins_google === true ? await readUnprovenGoogle(c, body.email) : undefined;
      const proof = { email: body.email, invite: body.invite, google, keepsNothing: body.keeps_nothing };
      const asker = { browser: await browserOf(c), ip: c.var.ip, isKnown: await isKnownBrowser(c, body.email) };
      const given = { ...asker, email: body.email, code: body.code };
      const found = await redeemCode(c.env, c.var.db, given, () => findAccountFor(c, proof));
      const { account, beside } = await signIn({ c, welcome }, proof, found);
      clearUnprovenGoogle(c);
      return { user: await describeUser(c.env, account, beside) };
    });

    serve(app, signInByLink, async ({ c, body }) => {
      const rest = { invite: body.invite, keepsNothing: body.keeps_nothing };
      const googleFor = async (email: string) => (body.joins_google === true ? readUnprovenGoogle(c, email) : undefined);
      const proofOf = async (email: string) => ({ email, ...rest, google: await googleFor(email) });
      const { email, admitted } = await redeemLink(c.var.db, body.token, async (proven) => findAccountFor(c, await proofOf(proven)));
      const { account, beside } = await signIn({ c, welcome }, await proofOf(email), admitted);
      clearUnprovenGoogle(c);
      return { user: await describeUser(c.env, account, beside) };
    });

    serve(app, startGoogleSignIn, ({ c, query }) => startGoogle(c, query));
    serve(app, finishGoogleSignIn, ({ c, query }) => finishGoogle(c, query, welcome));

    serve(app, listLinkedSignIns, async ({ c, caller }) => ({ linked: await readLinkedSignIns(c.var.db, caller.userId) }));

    serve(app, endLinkedSignIn, async ({ c, caller, params }) => {
      const email = await removeLinkedSignIn(c.env, c.var.db, { caller, id: params.id });
      notifyOwner(c, { userId: caller.userId, what: "linked-gone", detail: email ?? "" });
      return { ok: true as const };
    });

    serve(app, listSessions, async ({ c, caller }) => ({ sessions: await listOwnSessions(c.var.db, caller) }));

    serve(app, endSession, async ({ c, caller, params }) => {
      await endOwnSession(c.env, c.var.db, { caller, id: params.id });
      noteEvent(c, "sign-out", caller.userId);
      return { ok: true as const };
    });

    serve(app, checkFreshSignIn, () => ({ ok: true as const }));

    serve(app, signOut, async ({ c, caller, body }) => {
      if (body.everywhere === true) await requireFreshSignIn(c.var.db, caller, FRESH_OWN_MIN);
      await endSessions(c.env, c.var.db, { caller, everywhere: body.everywhere === true });
      noteEvent(c, "sign-out", caller.userId);
      dropSession(c);
      // Pictures and files that the browser holds for its next look at them.
      c.header("clear-site-data", '"cache"');
      return { ok: true as const };
    });
  };

/** The browser that asks, by the SHA-256 of its cookie; null for one that was never given any. */
async function browserOf(c: Context<AppContext>): Promise<string | null> {
  const secret = readCookie(c, "browser");
  return secret === undefined ? null : sha256(secret);
}

/** The same, with a cookie for one that has none; it is kept two hours from its last use here. */
async function rememberBrowser(c: Context<AppContext>): Promise<string> {
  const secret = readCookie(c, "browser") ?? randomToken();
  writeCookie(c, "browser", { value: secret, maxAge: BROWSER_COOKIE_S });
  return sha256(secret);
}

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
async function sendCode(env: Env, db: Database, asked: Input): Promise<{ isLinkAlone: boolean }> {
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
  const code_hash = await hashCode(env, "sign-in-code", { about: codePurpose(browser, email), code: code ?? randomToken() });
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
async function redeemCode<T>(env: Env, db: Database, proof: Proof, admit: () => Promise<T>): Promise<T> {
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
  if (!isKnown && !(await countIfAllowed(env, wrongCodesFor(email), daily(configOf(env).limits.wrongCodesPerDay)))) {
    throw new AppError("LINK_ONLY");
  }
  const about = codePurpose(browser, email);
  if (!(await isCode(env, "sign-in-code", { about, code, expected }))) throw new AppError("INVALID_CODE");
  const giveTriesBack = () => Promise.all(counted.map((name) => takeBackEvent(env, name)));
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
async function redeemLink<T>(db: Database, token: string, admit: (email: string) => Promise<T>): Promise<{ email: string; admitted: T }> {
  const link = { hash: await sha256(token), now: new Date().toISOString() };
  const proven = await findLink(db, link);
  if (proven === undefined) throw new AppError("INVALID_LINK");
  const admitted = await admit(proven);
  const email = await consumeLink(db, link);
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
function codePurpose(browser: string, email: string): string {
  return `sign-in|${browser}|${email}`;
}

/**
 * The mail with a sign-in code, and a link for another browser; without a code it has the link alone. Scanners open links: it only leads
 * to a button.
 */
function codeMail({ to, code, link }: { to: string; code: string | null; link: string }): Mail {
  const subject = code === null ? `Your link to sign in to ${APP_NAME}` : `${code} is your ${APP_NAME} code`;
  const ignore = "If you did not ask for this, ignore the mail: nobody can sign in without it. Never pass on the code or the link.";
  const why = "Too many wrong codes were entered for your address today, so this mail has no code. Nobody got in by them.";
  const use = "It is valid for 10 minutes and works once, in the browser that asked for it.";
  const elsewhere = code === null ? "Sign in by this link within 10 minutes, in any browser:" : "Or sign in by this link, in any browser:";
  return {
    to,
    subject,
    text: `${code === null ? why : `Your sign-in code for ${APP_NAME} is ${code}\n\n${use}`}\n\n${elsewhere}\n\n${link}\n\n${ignore}\n`,
    html: [
      '<div style="font-family:system-ui,sans-serif;font-size:16px;line-height:1.5;color:#1c1b19;max-width:480px">',
      ...(code === null
        ? [`<p>${why}</p>`]
        : [
            `<p>Your sign-in code for ${APP_NAME}</p>`,
            `<p style="font-size:32px;font-weight:600;letter-spacing:6px;margin:16px 0">${code}</p>`,
            `<p>${use}</p>`,
          ]),
      `<p>${elsewhere}</p>`,
      `<p style="margin:24px 0"><a href="${escapeHtml(link)}" style="background:#256b48;color:#fff;padding:10px 16px;border-radius:8px;text-decoration:none">Sign in to ${APP_NAME}</a></p>`,
      `<p style="color:#57605a;font-size:14px">${ignore}</p>`,
      "</div>",
    ].join(""),
  };
}
