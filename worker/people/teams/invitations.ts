import { TEAM_INVITE_PARAMETER } from "#shared/sign-in/arrivals.ts";
import type { Team, TeamInvitation, TeamInvitationStatus } from "#shared/entities/team.ts";
import { TEAM_INVITATION_MS, TEAM_INVITATIONS_MAX } from "#shared/limits.ts";
import { AppError } from "#worker/platform/errors/app-error.ts";
import { canSendMail, sendMail, type Mail } from "#worker/platform/clients/mailer.ts";
import type { Database } from "#worker/platform/db/client.ts";
import { configOf, type Caller, type Env } from "#worker/platform/env.ts";
import { countOrRefuse, daily, hourly } from "#worker/platform/http/rate-limit.ts";
import { log } from "#worker/platform/log.ts";
import { suppressedAmong } from "#worker/people/suppressions/suppressions.ts";
import { findUserByEmail, getUserRow } from "#worker/people/users/users.ts";
import {
  acceptInvitationRow,
  cancelInvitationRow,
  hasOpenInvitation,
  selectInvitation,
  selectMemberIds,
  selectOpenInvitations,
  selectTeamRole,
  upsertInvitation,
  type FoundInvitation,
} from "./queries.ts";
import { changeMembership } from "./refresh-chats.ts";
import { findManagedTeam, findTeam, notifyMembers } from "./teams.ts";
import { APP_NAME } from "#shared/app.ts";
import { isPlainName, letter, nameInMail } from "#worker/platform/letters/letter.ts";
import { base64url } from "jose";
import { isUuid } from "#shared/uuid.ts";
import { isSigned, signingKey } from "#worker/people/signing-keys/keys.ts";

const encoder = new TextEncoder();

/** The token of an invitation's link: its id, and an HMAC-SHA256 of it, so it can be shown again and is stored nowhere. */
async function tokenOf(env: Env, invitationId: string): Promise<string> {
  const signature = await crypto.subtle.sign("HMAC", await signingKey(configOf(env), "team-invitation"), encoder.encode(invitationId));
  return `${invitationId}.${base64url.encode(new Uint8Array(signature))}`;
}

/** The id of the invitation that a token is of; null for a token that was not made here. Compares in constant time. */
async function invitationIdOf(env: Env, token: string): Promise<string | null> {
  const [id = "", signature = ""] = token.split(".");
  if (!isUuid(id) || !/^[\w-]{43}$/.test(signature)) return null;
  const signed = { signature: base64url.decode(signature), text: encoder.encode(id) };
  return (await isSigned(configOf(env), "team-invitation", signed)) ? id : null;
}

/** Invitations one person may send in an hour, and one address may get in a day, to chats and teams together. */
const INVITATIONS_PER_HOUR = 20;
const INVITATIONS_PER_ADDRESS = 5;
/** Links one network may try in an hour. */
const LINKS_PER_HOUR = 300;

const CLOSED: Record<Exclude<TeamInvitationStatus, "pending">, string> = {
  expired: "This invitation has expired.",
  cancelled: "This invitation has been cancelled.",
  accepted: "This invitation has already been accepted.",
};

/** A team's open invitations, for its admins. Throws TEAM_NOT_FOUND, FORBIDDEN. */
export async function readInvitations(env: Env, db: Database, caller: Caller, teamId: string): Promise<TeamInvitation[]> {
  await findManagedTeam(db, teamId, caller.userId);
  const found = await selectOpenInvitations(db, teamId, new Date().toISOString());
  return Promise.all(found.map((invitation) => toInvitation(env, invitation, { isFull: true })));
}

/** Invites an address to a team; `emailSent` is false where the mail could not go out, and the link has to be passed on by hand. */
export async function invite(
  env: Env,
  db: Database,
  caller: Caller,
  { teamId, email, origin }: { teamId: string; email: string; origin: string },
): Promise<{ invitation: TeamInvitation; emailSent: boolean }> {
  const team = await findManagedTeam(db, teamId, caller.userId);
  await countOrRefuse(env, `invitations:${caller.userId}`, hourly(INVITATIONS_PER_HOUR), "INVITATIONS_LIMITED");
  const person = await findUserByEmail(db, email);
  if (person && (await selectTeamRole(db, teamId, person.id)) !== null) {
    throw new AppError("INVALID_INPUT", { message: "This person is in the team already." });
  }
  const now = new Date();
  const at = now.toISOString();
  await countOrRefuse(env, `invitations:to:${email}`, daily(INVITATIONS_PER_ADDRESS), "INVITATIONS_LIMITED");
  const expiresAt = new Date(now.getTime() + TEAM_INVITATION_MS).toISOString();
  const id = await upsertInvitation(db, { teamId, email, invitedBy: caller.userId, at, expiresAt });
  if (id === null) {
    await findManagedTeam(db, teamId, caller.userId);
    throw new AppError("INVALID_INPUT", { message: `The team has ${TEAM_INVITATIONS_MAX} open invitations. Cancel some first.` });
  }
  const emailSent = await mail(env, db, { caller, id, email, team, origin });
  await notifyMembers(env, await selectMemberIds(db, teamId));
  return { invitation: await toInvitation(env, await findInvitation(db, id), { isFull: true }), emailSent };
}

/** True for an address that an open invitation to a team names. */
export function isInvitedToTeam(db: Database, email: string): Promise<boolean> {
  return hasOpenInvitation(db, email, new Date().toISOString());
}

type Letter = { caller: Caller; id: string; email: string; team: Team; origin: string };

async function mail(env: Env, db: Database, { caller, id, email, team, origin }: Letter): Promise<boolean> {
  if (!canSendMail(env) || (await suppressedAmong(db, [email])).size > 0) return false;
  const { email: from } = await getUserRow(db, caller.userId);
  const url = `${origin}/?${TEAM_INVITE_PARAMETER}=${await tokenOf(env, id)}`;
  try {
    await sendMail(env, teamInvitationMail({ to: email, name: caller.displayName, from: from ?? "", team: team.name, url }), origin);
    return true;
  } catch (cause) {
    log.warn("a team's invitation was not mailed", { cause });
    return false;
  }
}

/** Cancels an open invitation. Throws NOT_FOUND, FORBIDDEN, TEAM_INVITATION_CLOSED. */
export async function cancelInvitation(env: Env, db: Database, caller: Caller, id: string): Promise<void> {
  const found = await selectInvitation(db, id);
  const role = found && (await selectTeamRole(db, found.invitation.team_id, caller.userId));
  if (!found || !role) throw new AppError("NOT_FOUND");
  if (role !== "admin") throw new AppError("FORBIDDEN", { message: "Only an admin of the team can do that." });
  // Two clicks are one.
  if (found.invitation.status === "cancelled") return;
  const { team_id: teamId } = found.invitation;
  if (!(await cancelInvitationRow(db, id, { teamId, by: caller.userId, at: new Date().toISOString() }))) {
    await findManagedTeam(db, teamId, caller.userId);
    const now = await findInvitation(db, id);
    if (now.invitation.status === "cancelled") return;
    refuseClosed(now);
  }
  await notifyMembers(env, await selectMemberIds(db, teamId));
}

/** What a link leads to. Throws TEAM_INVITATION_NOT_FOUND for a link that was never sent. */
export async function readInvitation(
  env: Env,
  db: Database,
  { token, caller, ip }: { token: string; caller: Caller | null; ip: string },
): Promise<TeamInvitation> {
  await countOrRefuse(env, `team-links:${ip}`, hourly(LINKS_PER_HOUR), "RATE_LIMITED");
  const found = await findByToken(env, db, token);
  const email = caller === null || caller.anonymous ? null : (await getUserRow(db, caller.userId)).email;
  return toInvitation(env, found, { isFull: email?.toLowerCase() === found.invitation.email });
}

/** Makes the caller a member by an invitation of theirs. Throws TEAM_INVITATION_NOT_FOUND, _MISMATCH, _CLOSED. */
export async function acceptInvitation(env: Env, db: Database, caller: Caller, token: string): Promise<Team> {
  const { invitation } = await findByToken(env, db, token);
  const { id, team_id: teamId } = invitation;
  const { email } = await getUserRow(db, caller.userId);
  if (email?.toLowerCase() !== invitation.email) throw new AppError("TEAM_INVITATION_MISMATCH");
  const accept = () => acceptInvitationRow(db, id, { userId: caller.userId, at: new Date().toISOString() });
  const isOpen = statusOf(invitation) === "pending";
  const isAccepted = isOpen ? await changeMembership(env, { teamId, userIds: [caller.userId] }, accept) : await accept();
  if (!isAccepted) refuseClosed(await findInvitation(db, id));
  // Who accepted and was removed since comes back by another invitation.
  if ((await selectTeamRole(db, teamId, caller.userId)) === null) refuseClosed(await findInvitation(db, id));
  if (isOpen) await notifyMembers(env, await selectMemberIds(db, teamId));
  return findTeam(db, teamId, caller.userId);
}

function refuseClosed({ invitation }: FoundInvitation): never {
  const status = statusOf(invitation);
  throw new AppError("TEAM_INVITATION_CLOSED", status === "pending" ? undefined : { message: CLOSED[status] });
}

async function findByToken(env: Env, db: Database, token: string): Promise<FoundInvitation> {
  const id = await invitationIdOf(env, token);
  const found = id === null ? undefined : await selectInvitation(db, id);
  if (!found) throw new AppError("TEAM_INVITATION_NOT_FOUND");
  return found;
}

async function findInvitation(db: Database, id: string): Promise<FoundInvitation> {
  const found = await selectInvitation(db, id);
  if (!found) throw new AppError("TEAM_INVITATION_NOT_FOUND");
  return found;
}

function statusOf({ status, expires_at: expiresAt }: FoundInvitation["invitation"]): TeamInvitationStatus {
  return status === "pending" && expiresAt <= new Date().toISOString() ? "expired" : status;
}

async function toInvitation(
  env: Env,
  { invitation, team, inviter }: FoundInvitation,
  { isFull }: { isFull: boolean },
): Promise<TeamInvitation> {
  const { id, email, expires_at, created_at, decided_at } = invitation;
  return {
    id,
    email,
    token: await tokenOf(env, id),
    status: statusOf(invitation),
    expires_at,
    created_at,
    decided_at,
    teams: { name: team.name, description: isFull ? team.description : null, memberCount: isFull ? team.memberCount : null },
    inviter: { display_name: inviter?.display_name ?? "", email: isFull ? (inviter?.email ?? null) : null },
  };
}

type Invitation = { to: string; name: string; from: string; team: string; url: string };

/** The mail that invites an address to a team; a team's name that could pose as anything else is left to the page. */
function teamInvitationMail({ to, name, from, team, url }: Invitation): Mail {
  const who = nameInMail({ name, email: from });
  const named = isPlainName(team) ? `the team ${team.trim()}` : "a team";
  return letter({
    to,
    subject: `${who} invited you to ${named}`,
    paragraphs: [`${who} invited you to ${named} on ${APP_NAME}.`, `Accept with this address, ${to}. The invitation is open for 7 days.`],
    button: { label: "See the invitation", url },
    footnote: "If you do not know who this is, ignore this mail: nothing happens without you.",
  });
}
