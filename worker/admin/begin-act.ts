import { ADMIN_ACTS_PER_HOUR } from "#shared/limits.ts";
import type { Audited } from "../db/audit.ts";
import type { Database } from "../db/client.ts";
import type { Caller, Env } from "../env.ts";
import { countOrRefuse, hourly } from "../http/rate-limit.ts";
import { getUserRow } from "../users/users.ts";

/** Who acts, on whom or what, and why. */
export type Act = { caller: Caller; id: string; reason?: string | undefined };

/** Counts an administrator's act, and answers what its entry says of it. Throws RATE_LIMITED. */
export async function beginAct(env: Env, db: Database, { caller, reason }: Omit<Act, "id">): Promise<Audited> {
  await countOrRefuse(env, `admin:${caller.userId}`, hourly(ADMIN_ACTS_PER_HOUR), "RATE_LIMITED");
  const { id, display_name: name, email } = await getUserRow(db, caller.userId);
  return { id: crypto.randomUUID(), at: new Date().toISOString(), actor: { id, name, email }, reason: reason || null };
}
