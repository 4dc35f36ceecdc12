import { AppError } from "#worker/platform/errors/app-error.ts";
import type { Database } from "#worker/platform/db/client.ts";
import type { Caller } from "#worker/platform/env.ts";
import { findSessionTimes } from "./queries.ts";

/**
 * Refuses who did not prove within so many minutes who they are: a browser left open must not give the account away. A guest, who has
 * nothing to prove, is refused by what they may not do; a key proves nobody.
 */
export async function requireFreshSignIn(db: Database, { sessionId, anonymous }: Caller, minutes: number): Promise<void> {
  if (anonymous) return;
  const now = Date.now();
  const times = await findSessionTimes(db, sessionId, new Date(now).toISOString());
  const provedAt = times?.provedAt ?? null;
  if (provedAt === null || now - Date.parse(provedAt) > minutes * 60_000) throw new AppError("FRESH_SIGN_IN_REQUIRED");
}
