import type { WaitingPlan } from "#shared/entities/invite.ts";
import { fromMicros } from "#worker/platform/spending/money.ts";
import type { Audited } from "#worker/platform/db/audit.ts";
import type { Database } from "#worker/platform/db/client.ts";
import type { Env } from "#worker/platform/env.ts";
import { hubOf } from "#worker/people/hub/stub.ts";
import { activateWaiting, refuseWaiting, selectWaiting } from "./queries.ts";

/** Plans that wait for an administrator, the longest-waiting first, a page after the given one. */
export async function listWaitingPlans(
  db: Database,
  page: { after: Pick<WaitingPlan, "used_at" | "invite_id"> | null; limit: number },
): Promise<WaitingPlan[]> {
  const rows = await selectWaiting(db, page);
  return rows.map(({ creditsMicros, ...row }) => ({ ...row, credits: fromMicros(creditsMicros) }));
}

type Decision = { userId: string; audited: Audited };

/** Gives a person the plans that wait for them; false where none does. Credits moved when the invite was used, by the ledger. */
export async function approvePlans(env: Env, db: Database, { userId, audited }: Decision): Promise<boolean> {
  const isChanged = await activateWaiting(db, userId, audited);
  if (isChanged) await hubOf(env, userId).noteUserChanged();
  return isChanged;
}

/** Refuses the plans that wait for a person; false where none does. The account and its credits stay. */
export async function refusePlans(env: Env, db: Database, { userId, audited }: Decision): Promise<boolean> {
  const isChanged = await refuseWaiting(db, userId, audited);
  if (isChanged) await hubOf(env, userId).noteUserChanged();
  return isChanged;
}
