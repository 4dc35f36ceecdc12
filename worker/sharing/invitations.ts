import * as z from "zod/mini";
import { INVITE_PARAMETER } from "#shared/sign-in/arrivals.ts";
import type { Invite } from "#shared/entities/invite.ts";
import { can } from "#shared/permissions.ts";
import { takeArtifactInvitations } from "../artifacts/sharing/take-invitations.ts";
import { roomOf } from "../chat-room/stub.ts";
import { readerOf } from "../chats/prepare-turn.ts";
import { canSendMail, sendMail } from "../clients/mailer.ts";
import { findOwnInvite } from "../invites/invites.ts";
import { isInvitedToTeam } from "../teams/invitations.ts";
import { type Database, openDatabase } from "../db/client.ts";
import { type Caller, configOf, type Env } from "../env.ts";
import { AppError, unwrap } from "../app-error.ts";
import { enqueue, job } from "../jobs/job.ts";
import { log } from "../log.ts";
import { countOrRefuse, daily, hourly } from "../http/rate-limit.ts";
import { suppressedAmong } from "../suppressions/suppressions.ts";
import { findUserByEmail, getUserRow } from "../users/users.ts";
import { invitationMail, type Shared } from "./invitation-mail.ts";
import { listInvitedChats } from "./queries.ts";

export { findInvitations } from "./queries.ts";

/** Invitations one person may send in an hour, and one address may get in a day, whoever sends them. */
const INVITATIONS_PER_HOUR = 20;
const INVITATIONS_PER_ADDRESS = 5;
/** Rooms asked at once; a Worker has six connections. */
const ROOMS_AT_ONCE = 6;

const NO_MAIL = "Invitations cannot be mailed: this deployment has neither an EMAIL binding nor RESEND_API_KEY.";

const SUPPRESSED =
  "The invitation is kept, but nothing more is mailed to this address: mail to it came back. Tell them to sign in with it.";

/** A person and the addresses they have proven. */
const Proven = z.object({ userId: z.string(), emails: z.array(z.string()) });
type Proven = z.infer<typeof Proven>;

type Input = { caller: Caller; email: string; inviteId: string | undefined };
/** Who is mailed, with which invite. */
type Invitation = { email: string; invite: Invite | null };

/**
 * The mail to an address without an account, null for one that has an account; counts it. Only who may share the chat learns anything.
 * Throws `AppError`: INVITE_REQUIRED where such an address could not sign up, NOT_FOUND for an invite that is not the caller's or was used.
 */
export async function admitInvitation(
  env: Env,
  db: Database,
  { chatId, ...input }: Input & { chatId: string },
): Promise<Invitation | null> {
  const { row } = unwrap(await roomOf(env, chatId).describe(readerOf(input.caller)));
  if (!can(row.permissionLevel, "share")) throw new AppError("FORBIDDEN");
  return admitAddress(env, db, input);
}

/** The mail to an address without an account, for somebody who may share what it is about; as `admitInvitation` otherwise. */
export async function admitAddress(env: Env, db: Database, { caller, email, inviteId }: Input): Promise<Invitation | null> {
  if (await findUserByEmail(db, email)) return null;
  if (!canSendMail(env)) throw new AppError("MAIL_NOT_CONFIGURED", { message: NO_MAIL });
  const invite = inviteId === undefined ? null : await findOwnInvite(db, caller, inviteId);
  if (!invite && configOf(env).signUp.isByInvitation && !(await isInvitedToTeam(db, email))) {
    throw new AppError("INVITE_REQUIRED", { message: "New accounts need an invite here. Send one along." });
  }
  await countOrRefuse(env, `invitations:${caller.userId}`, hourly(INVITATIONS_PER_HOUR), "INVITATIONS_LIMITED");
  await countOrRefuse(env, `invitations:to:${email}`, daily(INVITATIONS_PER_ADDRESS), "INVITATIONS_LIMITED");
  return { email, invite };
}

/** Mails an invitation whose share is kept already. Throws MAIL_FAILED: the share stays, and the mail can be asked for again. */
export async function mailInvitation(
  env: Env,
  db: Database,
  { caller, email, invite, origin, ...shared }: Invitation & { caller: Caller; origin: string; path: string; what: Shared },
): Promise<void> {
  if ((await suppressedAmong(db, [email])).size > 0) throw new AppError("MAIL_FAILED", { message: SUPPRESSED });
  const { email: from } = await getUserRow(db, caller.userId);
  const returnUrl = encodeURIComponent(`${shared.path}${invite ? `?${INVITE_PARAMETER}=${invite.code}` : ""}`);
  const url = `${origin}/auth/login?returnUrl=${returnUrl}`;
  try {
    await sendMail(env, invitationMail({ to: email, name: caller.displayName, from: from ?? "", url, invite, what: shared.what }), origin);
  } catch (cause) {
    throw new AppError("MAIL_FAILED", { message: "The invitation is kept, but its mail could not be sent. Try again.", cause });
  }
}

/** Lets a person in to the chats that an address they have proven is invited to: an address's proof is the invitation's key. */
export async function takeInvitations(env: Env, { userId, emails }: Proven): Promise<void> {
  const db = openDatabase(env.DB);
  await Promise.all([takeArtifactInvitations(db, { userId, emails }), takeChatInvitations(env, db, { userId, emails })]);
}

async function takeChatInvitations(env: Env, db: Database, { userId, emails }: Proven): Promise<void> {
  for (const email of new Set(emails)) {
    const chatIds = await listInvitedChats(db, email);
    for (let next = 0; next < chatIds.length; next += ROOMS_AT_ONCE) {
      const batch = chatIds.slice(next, next + ROOMS_AT_ONCE);
      await Promise.all(batch.map((chatId) => roomOf(env, chatId).changeAccess({ userId }, { kind: "admit", email })));
    }
  }
}

/** Goes on with letting a person in where that failed as they signed in. */
export const takeInvitationsJob = job("invitations.take", Proven, takeInvitations);

/** As a person signs in: what they are invited to is theirs at once, or by a job where a room cannot be reached just now. */
export async function welcome(env: Env, invited: Proven): Promise<void> {
  try {
    await takeInvitations(env, invited);
  } catch (cause) {
    // Nobody is kept from signing in by a room; the job goes on where this stopped.
    log.error("invitations were not all taken at once", { userId: invited.userId, cause });
    await enqueue(env, takeInvitationsJob, invited);
  }
}
