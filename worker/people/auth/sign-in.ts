import type { Context } from "hono";
import * as z from "zod/mini";
import { blockedText } from "#shared/errors.ts";
import { DISPLAY_NAME_LENGTH } from "#shared/limits.ts";
import { SIGN_IN_FAILURES } from "#shared/sign-in/sign-in-failures.ts";
import { plainName } from "#shared/shown-text.ts";
import { accountOfAddress } from "#worker/people/addresses/verified-addresses.ts";
import { notifyOwner } from "#worker/people/alerts/alerts.ts";
import { toMicros } from "#worker/platform/spending/money.ts";
import { configOf, type AppContext, type Caller, type Env } from "#worker/platform/env.ts";
import { AppError } from "#worker/platform/errors/app-error.ts";
import { findOpenInvite, initialAccountFields, queueInviteEffects, welcomeByInvite } from "#worker/people/invites/redeem.ts";
import { writeSession } from "#worker/people/callers/session.ts";
import { deviceName } from "#worker/people/sessions/device-name.ts";
import { noteEvent } from "#worker/platform/security/note-event.ts";
import { isInvitedToTeam } from "#worker/people/teams/invitations.ts";
import { formerMailboxDigests } from "#worker/people/users/mailbox-of.ts";
import { storeExternalPicture } from "#worker/people/profile/pictures.ts";
import {
  type Beside,
  contactDetailsOf,
  createAccount,
  findPersonByEmail,
  findUserByIdentity,
  insertIdentity,
  updateIdentityEmail,
  type UserRow,
} from "#worker/people/users/users.ts";
import { mergeOrQueueGuest } from "./merge-guest.ts";
import { isKnownBrowser, noteKnownBrowser } from "./known-browser.ts";
import { regionOf } from "#worker/people/sessions/region.ts";
import {
  findSessionTimes,
  newSession,
  openedSession,
  openSession,
  type Opening,
  sessionStatements,
} from "#worker/people/sessions/sessions.ts";
import type { Database } from "#worker/platform/db/client.ts";
import { findInvitations } from "./queries.ts";
import { replaceSession } from "#worker/people/sessions/sign-out.ts";

/** What a person has proven: an address, and with Google who they are there; the address that Google names need not be proven. */
export type Proof = {
  email: string;
  google?: { subject: string; email: string; name: string | null; picture: string | null };
  /** The code of the invite that they came by. */
  invite?: string | undefined;
  /** When they proved it, in epoch milliseconds: now unless given, and null where that is not known. */
  provedAt?: number | null;
  /** Whether nothing is to stay on the device; as it was with the same person's session unless given. */
  keepsNothing?: boolean | undefined;
};

/** Whose account a proof opens, with what stands beside its row where that was read too, or whose additional address it proves. */
type Found = { account: UserRow | null; beside: Beside | null; ownerId: string | null };

/** Lets a person in to what the addresses that they have proven are invited to. */
export type Welcome = (env: Env, invited: { userId: string; emails: string[] }) => Promise<void>;

/**
 * Signs a proven person in: finds or makes the account, takes along what the browser's guest has, and starts a new session. What stands
 * beside its row is null where it was not read.
 */
export async function signIn(
  { c, welcome }: { c: Context<AppContext>; welcome: Welcome },
  proof: Proof,
  found: Found | null = null,
): Promise<{ account: UserRow; beside: Beside | null }> {
  const db = c.get("db");
  const before = c.get("caller");
  const { account: known, beside, ownerId } = found ?? (await findAccount(c, proof));
  if (known && known.blocked_at !== null) throw blocked(c);
  const userAgent = c.req.header("user-agent") ?? "";
  const { provedAt = Date.now(), keepsNothing = await storedNothing(db, before, known?.id ?? guestIn(before)) } = proof;
  const opening = { userAgent, region: regionOf(c.req.raw.cf ?? {}), provedAt, keepsNothing };
  const { account, session, isInvited } = known
    ? { account: known, session: null, isInvited: true }
    : await openAccount(c, proof, { ownerId, opening });
  const isFirst = proof.google !== undefined && (await linkGoogle(db, account.id, proof.google));
  const emails = account.email === null ? [proof.email] : [account.email, proof.email];
  const [opened] = await Promise.all([
    session ?? openSession(db, account, opening),
    // Whoever proved the address has what it is invited to, whether or not a session opens.
    isInvited && welcome(c.env, { userId: account.id, emails }),
  ]);
  if (before) await replaceSession(c.env, db, { before, after: opened.caller });
  if (before?.anonymous) await mergeOrQueueGuest(c.env, { guestId: before.userId, accountId: account.id });
  await writeSession(c, opened.secret, opened);
  const addresses = [...new Set([account.email ?? proof.email, proof.email])];
  const isNewBrowser = !(await Promise.all(addresses.map((address) => isKnownBrowser(c, address)))).includes(true);
  noteEvent(c, known && isNewBrowser ? "new-browser" : "sign-in", account.id);
  if (known && isNewBrowser) notifyOwner(c, { userId: account.id, what: "browser", detail: deviceName(userAgent) });
  // Who keeps nothing here is at a browser of others.
  if (!keepsNothing) await noteKnownBrowser(c, addresses);
  if (known && isFirst) notifyOwner(c, { userId: account.id, what: "linked", detail: proof.google?.email ?? proof.email });
  const address = proof.google?.picture;
  // Later it may be missing because it was removed.
  if (address && isFirst && account.profile_image === null)
    c.executionCtx.waitUntil(storeExternalPicture(c.env, db, { userId: account.id, address }));
  // An account that was just made has nothing beside it.
  return { account, beside: known ? beside : { additionalEmails: [], hasNumber: false, newWithMicros: account.credits_micros } };
}

/** The guest whose row a newcomer's account becomes. */
function guestIn(caller: Caller | null): string | null {
  return caller?.anonymous ? caller.userId : null;
}

/** Whether the session that a new one of the same person takes the place of leaves nothing on the device. */
async function storedNothing(db: Database, before: Caller | null, userId: string | null): Promise<boolean> {
  if (before?.userId !== userId) return false;
  const times = await findSessionTimes(db, before.sessionId, new Date().toISOString());
  return times?.keepsNothing === true;
}

/** Whose account it is has proven to be its owner, and learns whom to ask. */
function blocked(c: Context<AppContext>): AppError {
  const { operator } = configOf(c.env).mail;
  return new AppError("ACCOUNT_BLOCKED", operator === undefined ? {} : { message: blockedText(operator) });
}

/** Has a Google account open this one from now on; false where it did already. */
async function linkGoogle(db: Database, userId: string, { subject, email }: { subject: string; email: string }): Promise<boolean> {
  const key = { provider: "google", subject } as const;
  const isFirst = await insertIdentity(db, { ...key, email, user_id: userId, created_at: new Date().toISOString() });
  if (!isFirst) await updateIdentityEmail(db, key, email);
  return isFirst;
}

/** An account's address is always proven, so the same proven address is the same person. All is asked at once, as the database may be far away. */
async function findAccount(c: Context<AppContext>, { email, google }: Proof): Promise<Found> {
  const db = c.get("db");
  const [byIdentity, byAddress, ownerId] = await Promise.all([
    google && findUserByIdentity(db, "google", google.subject),
    findPersonByEmail(db, email),
    accountOfAddress(db, email),
  ]);
  if (byIdentity) return { account: byIdentity.user, beside: null, ownerId };
  return { account: byAddress?.user ?? null, beside: byAddress ? contactDetailsOf(c.env, byAddress) : null, ownerId };
}

/**
 * Finds whom a proof opens before it is used up: throws INVITE_REQUIRED where it would open an account that may not be opened, so it can
 * be tried with a code again.
 */
export async function findAccountFor(c: Context<AppContext>, proof: Proof): Promise<Found> {
  const found = await findAccount(c, proof);
  if (configOf(c.env).signUp.isByInvitation && !found.account) await findAdmission(c, proof);
  return found;
}

/** The invite that a newcomer came by. By invitation, an open invitation of their proven address to a team does as well, or one of ADMIN_EMAILS, who makes the first invites; throws INVITE_REQUIRED. */
async function findAdmission(c: Context<AppContext>, { email, invite: code }: Proof) {
  const db = c.get("db");
  const invite = code === undefined ? null : await findOpenInvite(db, code);
  const { signUp, administrators } = configOf(c.env);
  if (invite || !signUp.isByInvitation || administrators.includes(email) || (await isInvitedToTeam(db, email))) return invite;
  throw new AppError("INVITE_REQUIRED");
}

/** Makes an account with its first session, at once, as the database may be far away. */
async function openAccount(c: Context<AppContext>, proof: Proof, { ownerId, opening }: { ownerId: string | null; opening: Opening }) {
  const { email, google } = proof;
  const { signUp } = configOf(c.env);
  // An address belongs to one account, and what mails from it may do there opens no session.
  if (ownerId !== null) throw new AppError("EMAIL_IN_USE", { message: SIGN_IN_FAILURES.additional });
  const invite = await findAdmission(c, proof);
  const displayName = (plainName(google?.name ?? "") || nameOf(email)).slice(0, DISPLAY_NAME_LENGTH);
  const db = c.get("db");
  const sessions = new Map<string, Awaited<ReturnType<typeof newSession>>>();
  const beside = async (userId: string) => {
    const session = await newSession(userId, opening);
    sessions.set(userId, session);
    return [...sessionStatements(db, session.made, email), findInvitations(db, email)];
  };
  const opened = invite && initialAccountFields(invite);
  if (invite) await queueInviteEffects(c.env, invite);
  const formerKeys = await formerMailboxDigests(c.env, email);
  const gift = { giftMicros: toMicros(signUp.credits), formerKeys };
  const { row: account, besideResults } = await createAccount(
    db,
    { email, displayName, ...gift, ...opened, beside },
    guestIn(c.get("caller")),
  );
  if (invite) await welcomeByInvite(c.env, { inviteId: invite.id });
  const stored = sessions.get(account.id);
  if (account.blocked_at !== null || !stored) throw blocked(c);
  return { account, session: openedSession(account, stored), isInvited: Invitations.parse(besideResults.at(-1)).length > 0 };
}

const Invitations = z.array(z.unknown());

/** A name to begin with: the address's local part without its +tag. */
function nameOf(email: string): string {
  const local = email.slice(0, email.lastIndexOf("@"));
  return local.split("+", 1)[0] || local;
}
