/** Inviting an address that has no account to what is shared with it. */
import { INVITE_PARAMETER } from "#shared/sign-in/arrivals.ts";
import type { Invite } from "#shared/entities/invite.ts";
import { APP_NAME } from "#shared/app.ts";
import { showInviteCode } from "#shared/sign-in/invite-code.ts";
import { planOf } from "#shared/plans.ts";
import { AppError } from "#worker/platform/errors/app-error.ts";
import { canSendMail, sendMail, type Mail } from "#worker/platform/clients/mailer.ts";
import type { Database } from "#worker/platform/db/client.ts";
import { type Caller, configOf, type Env } from "#worker/platform/env.ts";
import { countOrRefuse, daily, hourly } from "#worker/platform/http/rate-limit.ts";
import { suppressedAmong } from "#worker/people/suppressions/suppressions.ts";
import { isInvitedToTeam } from "#worker/people/teams/invitations.ts";
import { findUserByEmail, getUserRow } from "#worker/people/users/users.ts";
import { letter, nameInMail } from "#worker/platform/letters/letter.ts";
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

type Shared = "a chat" | "an artifact";

type MailedInvitation = { to: string; name: string; from: string; url: string; invite: Invite | null; what: Shared };

/** The mail that invites an address to what is shared with it, with the invite that goes along. It says nothing of its content: the words in it are ours alone. */
function invitationMail({ to, name, from, url, invite, what }: MailedInvitation): Mail {
  const noun = what.replace(/^an? /, "");
  const who = nameInMail({ name, email: from });
  return letter({
    to,
    subject: `${who} shared ${what} with you`,
    paragraphs: [
      `${who} shared ${what} with you on ${APP_NAME}.`,
      ...(invite
        ? [`An invite comes with it, which opens one account${describeGift(invite)}. Its code is ${showInviteCode(invite.code)}.`]
        : []),
      `Sign in with this address, ${to}, and the ${noun} is in your list.`,
    ],
    button: { label: `Open the ${noun}`, url },
    footnote: "If you do not know who this is, ignore this mail: nothing happens without you.",
  });
}

const PLAN_NAMES = { none: null, solo: "the solo plan", team: "the team plan" } as const;

function describeGift(invite: Invite): string {
  const { initial_credits: credits, auto_activate: isActive } = invite;
  const plan = PLAN_NAMES[planOf(invite)];
  const gifts = [
    ...(plan === null ? [] : [isActive ? plan : `${plan}, once it is approved`]),
    ...(credits > 0 ? [`$${Number.isInteger(credits) ? credits : credits.toFixed(2)} of credits`] : []),
  ];
  return gifts.length > 0 ? ` with ${gifts.join(" and ")}` : "";
}
