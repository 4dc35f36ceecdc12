import type { BodyOf, ResponseOf } from "#shared/contracts/endpoint.ts";
import type { createInvite, listInvites } from "#shared/contracts/account/invites.ts";
import type { Invite, InviteBalance } from "#shared/entities/invite.ts";
import { INVITE_ALPHABET, INVITE_CODE_LENGTH } from "#shared/sign-in/invite-code.ts";
import { INVITES_A_MONTH } from "#shared/plans.ts";
import { type AdminAction, beginAdminAction } from "#worker/people/users/admin-action.ts";
import { AppError } from "#worker/platform/errors/app-error.ts";
import { fromMicros, toMicros } from "#worker/platform/spending/money.ts";
import type { Database } from "#worker/platform/db/client.ts";
import { type Caller, configOf, type Env } from "#worker/platform/env.ts";
import { isTeam } from "#worker/people/teams/teams.ts";
import { getUserRow, isAdministrator } from "#worker/people/users/users.ts";
import {
  countMade,
  deleteAnyInvite,
  deleteInvite,
  hasInvitedPlan,
  insertInvite,
  type NamedInvite,
  selectUnusedInvite,
  selectOwnWaiting,
  selectUnused,
  updateLabel,
} from "./queries.ts";

/** A person's unused invites, how many they have left, and the plan that one which they used is to give them. */
export async function readInvites(env: Env, db: Database, caller: Caller): Promise<ResponseOf<typeof listInvites>> {
  const [unused, balance, waiting] = await Promise.all([
    selectUnused(db, caller.userId),
    readBalance(env, db, caller),
    selectOwnWaiting(db, caller.userId),
  ]);
  return { invites: unused.map(toInvite), balance, waiting_plan: waiting };
}

/** How many invites a person has left: counted of what they made, so no job has to reset anything. */
async function readBalance(env: Env, db: Database, caller: Caller, now = new Date()): Promise<InviteBalance> {
  const month = monthOf(now);
  const [limit, { made, used }] = await Promise.all([limitOf(env, db, caller), countMade(db, caller.userId, `${month}-01`)]);
  const next = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1)).toISOString();
  return {
    month,
    limit,
    left: limit === null ? null : Math.max(0, limit - made),
    made,
    used,
    resets_at: limit ? next : null,
    default_credits: configOf(env).signUp.credits,
  };
}

/** Invites of a month: none for accounts whose plan came by one, null for administrators, who have no limit. */
async function limitOf(env: Env, db: Database, { userId }: Caller): Promise<number | null> {
  if (isAdministrator(env, await getUserRow(db, userId))) return null;
  return (await hasInvitedPlan(db, userId)) ? 0 : INVITES_A_MONTH;
}

/** The month of UTC, e.g. `2026-11`. */
function monthOf(now: Date): string {
  return now.toISOString().slice(0, 7);
}

/** Makes an invite. Throws FORBIDDEN where somebody else than an administrator chooses what it gives, NO_INVITES_LEFT, TEAM_NOT_FOUND. */
export async function makeInvite(
  env: Env,
  db: Database,
  caller: Caller,
  { sent_to: sentTo, ...options }: BodyOf<typeof createInvite>,
): Promise<{ invite: Invite; balance: InviteBalance }> {
  const limit = await limitOf(env, db, caller);
  const chosen = Object.values(options).filter((value) => value !== undefined && value !== null && value !== false);
  if (limit !== null && chosen.length > 0) throw new AppError("FORBIDDEN", { message: "Only administrators choose what an invite gives." });
  const { team_plan = false, solo_plan = false, auto_activate = true, team_id = null, initial_credits: credits = null } = options;
  if (team_id !== null && !(await isTeam(db, team_id))) throw new AppError("TEAM_NOT_FOUND", { message: "There is no team of this id." });
  const now = new Date();
  const made = await insertInvite(
    db,
    {
      id: crypto.randomUUID(),
      code: newCode(),
      created_by: caller.userId,
      created_at: now.toISOString(),
      month: limit === null ? null : monthOf(now),
      sent_to: sentTo || null,
      auto_activate: limit === null ? auto_activate : true,
      team_plan,
      solo_plan,
      team_id,
      initial_credits_micros: toMicros(credits ?? configOf(env).signUp.credits),
    },
    limit ?? (await beginAdminAction(env, db, { caller })),
  );
  if (!made) throw new AppError("NO_INVITES_LEFT");
  return { invite: await findOwnInvite(db, caller, made.id), balance: await readBalance(env, db, caller) };
}

/** Says whom an unused invite is for. Throws NOT_FOUND. */
export async function relabelInvite(db: Database, caller: Caller, { id, sentTo }: { id: string; sentTo: string | null }): Promise<Invite> {
  const invite = await updateLabel(db, { id, userId: caller.userId, sentTo: sentTo || null });
  if (!invite) throw new AppError("NOT_FOUND");
  return findOwnInvite(db, caller, id);
}

/** An unused invite of a person's own. Throws NOT_FOUND. */
export async function findOwnInvite(db: Database, { userId }: Caller, id: string): Promise<Invite> {
  const found = await selectUnusedInvite(db, { id, userId });
  if (!found) throw new AppError("NOT_FOUND");
  return toInvite(found);
}

/** Takes an unused invite of a person's own back; an administrator's is an entry of the audit log. Throws NOT_FOUND. */
export async function revokeOwnInvite(env: Env, db: Database, caller: Caller, id: string): Promise<void> {
  await findOwnInvite(db, caller, id);
  const isAdmin = isAdministrator(env, await getUserRow(db, caller.userId));
  if (isAdmin) return revokeInvite(env, db, { caller, id });
  if (!(await deleteInvite(db, { id, userId: caller.userId }))) throw new AppError("NOT_FOUND");
}

/** Takes anybody's unused invite back. Throws NOT_FOUND. */
export async function revokeInvite(env: Env, db: Database, action: AdminAction): Promise<void> {
  if (!(await deleteAnyInvite(db, action.id, await beginAdminAction(env, db, action)))) throw new AppError("NOT_FOUND");
}

function toInvite({ invite, teamName }: NamedInvite): Invite {
  const { initial_credits_micros: micros, created_by: _creator, month: _month, ...fields } = invite;
  return { ...fields, team_name: teamName, initial_credits: fromMicros(micros) };
}

/** 60 random bits: each byte's low five bits are one character. */
function newCode(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(INVITE_CODE_LENGTH));
  return Array.from(bytes, (byte) => INVITE_ALPHABET[byte & 31]).join("");
}
