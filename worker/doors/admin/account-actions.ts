import type { AdminUser } from "#shared/entities/admin-user.ts";
import type { Plan } from "#shared/plans.ts";
import * as z from "zod/mini";
import { beginDeletion } from "#worker/account/account-deletion/begin.ts";
import { AppError } from "#worker/platform/errors/app-error.ts";
import { closeSessions } from "#worker/people/sessions/sign-out.ts";
import { fromMicros, toMicros } from "#worker/platform/spending/money.ts";
import { type Database, openDatabase } from "#worker/platform/db/client.ts";
import type { Env } from "#worker/platform/env.ts";
import { enqueue, job } from "#worker/platform/jobs/job.ts";
import { log } from "#worker/platform/log.ts";
import { hubOf } from "#worker/conversation/hub/stub.ts";
import { type AdminAction, beginAdminAction } from "#worker/people/users/admin-action.ts";
import { toAdminUser } from "./list-users.ts";
import {
  blockAccount,
  deleteSessionsAudited,
  deletionEntry,
  noteGift,
  selectAuditEntry,
  selectUser,
  unblockAccount,
  updatePlan,
} from "./queries.ts";

/** An account by its id. Throws NOT_FOUND, and FORBIDDEN for a guest. */
async function accountOf(env: Env, db: Database, id: string): Promise<AdminUser> {
  const row = await selectUser(db, id);
  if (!row) throw new AppError("NOT_FOUND");
  if (row.anonymous) throw new AppError("FORBIDDEN", { message: "This is a guest, who has no account." });
  return toAdminUser(env, row);
}

/** Ends an account's sessions and closes what they hold open. */
export async function signOutAccount(env: Env, db: Database, adminAction: AdminAction): Promise<void> {
  await accountOf(env, db, adminAction.id);
  await deleteSessionsAudited(db, adminAction.id, await beginAdminAction(env, db, adminAction));
  await closeSessions(env, adminAction.id, "all");
}

/** Keeps an account from being opened from now on. Throws FORBIDDEN for one's own. */
export async function block(env: Env, db: Database, adminAction: AdminAction): Promise<AdminUser> {
  await accountOf(env, db, adminAction.id);
  if (adminAction.id === adminAction.caller.userId) throw new AppError("FORBIDDEN", { message: "You cannot block your own account." });
  await blockAccount(db, adminAction.id, await beginAdminAction(env, db, adminAction));
  // Again where it is blocked already: what was not closed then is now.
  await closeSessions(env, adminAction.id, "all");
  return accountOf(env, db, adminAction.id);
}

export async function unblock(env: Env, db: Database, adminAction: AdminAction): Promise<AdminUser> {
  await accountOf(env, db, adminAction.id);
  await unblockAccount(db, adminAction.id, await beginAdminAction(env, db, adminAction));
  return accountOf(env, db, adminAction.id);
}

/** Deletes an account with all that is its own. Throws FORBIDDEN for one's own, INVALID_INPUT for another address than its own, CONFLICT while a team would be left without an admin. */
export async function removeAccount(
  env: Env,
  db: Database,
  { email, origin, ...adminAction }: AdminAction & { email: string; origin: string },
): Promise<void> {
  const { email: own } = await accountOf(env, db, adminAction.id);
  if (adminAction.id === adminAction.caller.userId)
    throw new AppError("FORBIDDEN", { message: "Delete your own account in your settings." });
  if (email !== own) throw new AppError("INVALID_INPUT", { message: "That is not this account\u2019s address." });
  await beginDeletion(env, db, {
    userId: adminAction.id,
    origin,
    entry: deletionEntry(db, adminAction.id, await beginAdminAction(env, db, adminAction)),
  });
}

/** Gives an account a plan, or takes it away; its tabs hear of it. */
export async function givePlan(env: Env, db: Database, { plan, ...adminAction }: AdminAction & { plan: Plan }): Promise<AdminUser> {
  await accountOf(env, db, adminAction.id);
  if (await updatePlan(db, adminAction.id, { plan, audited: await beginAdminAction(env, db, adminAction) }))
    await hubOf(env, adminAction.id).noteUserChanged();
  return accountOf(env, db, adminAction.id);
}

const Gift = z.object({ entryId: z.string() });
const Given = z.object({ given: z.number() });

/** The job finds the entry written, even where that takes a moment, in seconds. */
const DELAY = 30;

/** Gives the credits that an entry of the audit log speaks of; once, as the ledger knows the gift by the entry's id. */
export const giveAuditedCreditsJob = job("admin.credits", Gift, async (env, { entryId }) => {
  const entry = await selectAuditEntry(openDatabase(env.DB), entryId);
  // Queued before the entry was written, which may have failed.
  if (entry) await hubOf(env, entry.subject_id).grant({ id: `admin:${entryId}`, amountMicros: toMicros(Given.parse(entry.after).given) });
});

/** Gives an account credits; answers its balance, in US dollars. The entry comes first: whatever happens then, a job gives what it says. */
export async function giveAccountCredits(
  env: Env,
  db: Database,
  { amount, ...adminAction }: AdminAction & { amount: number },
): Promise<number> {
  await accountOf(env, db, adminAction.id);
  const hub = hubOf(env, adminAction.id);
  const credits = fromMicros(await hub.credits());
  const audited = await beginAdminAction(env, db, adminAction);
  await enqueue(env, giveAuditedCreditsJob, { entryId: audited.id }, { delaySeconds: DELAY });
  if (!(await noteGift(db, adminAction.id, { credits, amount, audited }))) throw new AppError("NOT_FOUND");
  try {
    await hub.grant({ id: `admin:${audited.id}`, amountMicros: toMicros(amount) });
    return fromMicros(await hub.credits());
  } catch (cause) {
    log.error("credits were not given at once", { entryId: audited.id, cause });
    return credits + amount;
  }
}
