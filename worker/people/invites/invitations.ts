/** Inviting an address that has no account to what is shared with it. */
import { INVITE_PARAMETER } from "#shared/sign-in/arrivals.ts";
import type { Invite } from "#shared/entities/invite.ts";
import { AppError } from "#worker/platform/errors/app-error.ts";
import { canSendMail, sendMail } from "#worker/platform/clients/mailer.ts";
import type { Database } from "#worker/platform/db/client.ts";
import { type Caller, configOf, type Env } from "#worker/platform/env.ts";
import { countOrRefuse, daily, hourly } from "#worker/platform/http/rate-limit.ts";
import { suppressedAmong } from "#worker/people/suppressions/suppressions.ts";
import { isInvitedToTeam } from "#worker/people/teams/invitations.ts";
import { findUserByEmail, getUserRow } from "#worker/people/users/users.ts";
import { invitationMail, type Shared } from "./invitation-mail.ts";
import { findOwnInvite } from "./invites.ts";

/** Invitations one person may send in an hour, and one address may get in a day, whoever sends them. */
const INVITATIONS_PER_HOUR = 20;
const INVITATIONS_PER_ADDRESS = 5;

const NO_MAIL = "Invitations cannot be mailed: this deployment has neither an EMAIL binding nor RESEND_API_KEY.";

const SUPPRESSED =
  "The invitation is kept, but nothing more is mailed to this address: mail to it came back. Tell them to sign in with it.";

export type Inviting = { caller: Caller; email: string; inviteId: string | undefined };
/** Who is mailed, with which invite. */
export type Invitation = { email: string; invite: Invite | null };

/** The mail to an address without an account, for somebody who may share what it is about; counts it. Throws `AppError`: INVITE_REQUIRED where such an address could not sign up, NOT_FOUND for an invite that is not theirs or was used. */
export async function admitAddress(env: Env, db: Database, { caller, email, inviteId }: Inviting): Promise<Invitation | null> {
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
