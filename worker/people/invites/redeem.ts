import * as z from "zod/mini";
import type { ResponseOf } from "#shared/contracts/endpoint.ts";
import type { redeemInvite } from "#shared/contracts/account/invites.ts";
import type { InvitePreview } from "#shared/entities/invite.ts";
import { readInviteCode } from "#shared/sign-in/invite-code.ts";
import { AppError } from "#worker/platform/errors/app-error.ts";
import { fromMicros } from "#worker/platform/spending/money.ts";
import { type Database, openDatabase } from "#worker/platform/db/client.ts";
import type { Caller, Env } from "#worker/platform/env.ts";
import { countOrRefuse, hourly } from "#worker/platform/http/rate-limit.ts";
import { enqueue, job } from "#worker/platform/jobs/job.ts";
import { log } from "#worker/platform/log.ts";
import { joinTeam } from "#worker/people/teams/teams.ts";
import { hubOf } from "#worker/people/hub/stub.ts";
import { isInviteUnavailable } from "#worker/people/users/users.ts";
import { noteContentChange } from "#worker/people/hub/stub.ts";
import { insertRedemption, type InviteRow, type InviteUseRow, type NamedInvite, selectInviteWithUse, selectOpenInvite } from "./queries.ts";

/** Codes that one person may try in an hour, and that one network may look at. */
const TRIES_PER_HOUR = 20;
const PREVIEWS_PER_HOUR = 120;

/** An unused invite by its code as people write it; null where there is none. */
export async function findOpenInvite(db: Database, code: string): Promise<InviteRow | null> {
  const plain = readInviteCode(code);
  return (plain !== null && (await selectOpenInvite(db, plain))) || null;
}

/** What an account that an invite opens begins with. */
export function initialAccountFields(invite: InviteRow) {
  const at = new Date().toISOString();
  const { auto_activate: isActive, team_plan, solo_plan } = invite;
  const hasPlan = team_plan || solo_plan;
  return {
    giftMicros: invite.initial_credits_micros,
    plan: isActive ? { team_plan, solo_plan } : {},
    invite: { inviteId: invite.id, at, activatedAt: isActive || !hasPlan ? at : null },
  };
}

const Settled = z.object({ inviteId: z.string() });

/** The jobs find the use written, even where that takes a moment, in seconds. */
const DELAY = 30;

/** Before an invite's use is written: whatever becomes of the request, what the use brings beside is carried out. */
export async function queueInviteEffects(env: Env, { id: inviteId, team_id: teamId }: InviteRow): Promise<void> {
  if (teamId !== null) await enqueue(env, settleInviteJob, { inviteId }, { delaySeconds: DELAY });
}

/** Lets whoever used an invite into its team, by a job where that fails just now: nobody is kept from signing in by it. */
export async function welcomeByInvite(env: Env, used: z.infer<typeof Settled>): Promise<void> {
  try {
    await settle(env, used);
  } catch (cause) {
    log.error("an invite was not carried out at once", { inviteId: used.inviteId, cause });
    await enqueue(env, settleInviteJob, used);
  }
}

/** The team that a used invite leads into, for whoever used it. */
async function settle(env: Env, { inviteId }: z.infer<typeof Settled>): Promise<void> {
  const db = openDatabase(env.DB);
  const found = await selectInviteWithUse(db, { id: inviteId });
  const userId = found?.use?.user_id;
  if (!found || !userId) return;
  await noteContentChange(env, found.invite.created_by, "invite");
  if (found.invite.team_id !== null) await joinTeam(env, db, { teamId: found.invite.team_id, userId });
}

/** Goes on with an invite that could not be carried out at once. */
export const settleInviteJob = job("invites.settle", Settled, settle);

const Given = z.object({ inviteId: z.string(), userId: z.string(), amountMicros: z.number() });

/** Gives an account the credits of an invite that it redeemed; once, as the ledger knows the gift by its id. */
export const giveCreditsJob = job("invites.credits", Given, async (env, { inviteId, userId, amountMicros }) => {
  const found = await selectInviteWithUse(openDatabase(env.DB), { id: inviteId });
  // Queued before the use was written: another may have been first.
  if (found?.use?.user_id === userId) await hubOf(env, userId).grant({ id: `invite:${inviteId}`, amountMicros });
});

/** What a code brings. Throws INVITE_INVALID where nobody made it or somebody else has used it, RATE_LIMITED. */
export async function previewInvite(
  env: Env,
  db: Database,
  { code, caller, ip }: { code: string; caller: Caller | null; ip: string },
): Promise<InvitePreview> {
  await countOrRefuse(env, `invite-looks:${ip}`, hourly(PREVIEWS_PER_HOUR), "RATE_LIMITED");
  const found = await findReadable(db, code, caller);
  return describe(found, found.use);
}

/** Whoever signed up by a code, or redeemed it in another tab, sees what it brought; anybody else may see an open one. */
async function findReadable(db: Database, code: string, caller: Caller | null) {
  const plain = readInviteCode(code);
  const found = plain === null ? undefined : await selectInviteWithUse(db, { code: plain });
  if (!found || (found.use && found.use.user_id !== caller?.userId)) throw new AppError("INVITE_INVALID");
  return found;
}

/** Gives an account that exists what a code has. Throws INVITE_INVALID, INVITE_FOR_NEWCOMERS, RATE_LIMITED. */
export async function redeem(env: Env, db: Database, caller: Caller, code: string): Promise<ResponseOf<typeof redeemInvite>> {
  await countOrRefuse(env, `invite-codes:${caller.userId}`, hourly(TRIES_PER_HOUR), "RATE_LIMITED");
  const found = await findReadable(db, code, caller);
  const { invite, use } = found;
  if (use) return { invite: describe(found, use) };
  if (!invite.team_plan && !invite.solo_plan && invite.team_id === null) throw new AppError("INVITE_FOR_NEWCOMERS");
  const { plan, invite: used, giftMicros: amountMicros } = initialAccountFields(invite);
  const given = { inviteId: invite.id, userId: caller.userId };
  await queueInviteEffects(env, invite);
  if (amountMicros > 0) await enqueue(env, giveCreditsJob, { ...given, amountMicros }, { delaySeconds: DELAY });
  try {
    await insertRedemption(db, { ...used, userId: caller.userId }, { team_plan: false, solo_plan: false, ...plan });
  } catch (cause) {
    throw isInviteUnavailable(cause) ? new AppError("INVITE_INVALID", { cause }) : cause;
  }
  await giveCredits(env, { ...given, amountMicros });
  await welcomeByInvite(env, { inviteId: invite.id });
  await hubOf(env, caller.userId).noteUserChanged();
  return { invite: describe(found, { activated_at: used.activatedAt, refused_at: null }) };
}

async function giveCredits(env: Env, given: z.infer<typeof Given>): Promise<void> {
  const { inviteId, userId, amountMicros } = given;
  if (amountMicros === 0) return;
  try {
    await hubOf(env, userId).grant({ id: `invite:${inviteId}`, amountMicros });
  } catch (cause) {
    log.error("an invite's credits were not given at once", { inviteId, cause });
    await enqueue(env, giveCreditsJob, given);
  }
}

function describe({ invite, teamName }: NamedInvite, use: Pick<InviteUseRow, "activated_at" | "refused_at"> | null): InvitePreview {
  const { team_plan, solo_plan, auto_activate, initial_credits_micros: micros } = invite;
  const used = use && (use.activated_at !== null ? "active" : use.refused_at === null ? "waits" : "refused");
  return { team_plan, solo_plan, auto_activate, team_name: teamName, credits: fromMicros(micros), used };
}
