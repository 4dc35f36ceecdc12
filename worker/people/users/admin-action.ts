import { ADMIN_ACTIONS_PER_HOUR } from "#shared/limits.ts";
import type { Audited } from "#worker/platform/db/audit.ts";
import type { Database } from "#worker/platform/db/client.ts";
import type { Caller, Env } from "#worker/platform/env.ts";
import { countOrRefuse, hourly } from "#worker/platform/http/rate-limit.ts";
import { getUserRow } from "./users.ts";

/** Who acts, on whom or what, and why. */
export type AdminAction = { caller: Caller; id: string; reason?: string | undefined };

/** Counts an administrator's action, and answers what its entry says of it. Throws RATE_LIMITED. */
export async function beginAdminAction(env: Env, db: Database, { caller, reason }: Omit<AdminAction, "id">): Promise<Audited> {
  await countOrRefuse(env, `admin:${caller.userId}`, hourly(ADMIN_ACTIONS_PER_HOUR), "RATE_LIMITED");
  const { id, display_name: name, email } = await getUserRow(db, caller.userId);
  return { id: crypto.randomUUID(), at: new Date().toISOString(), actor: { id, name, email }, reason: reason || null };
}
