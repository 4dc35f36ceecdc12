import { FRESH_SIGN_IN_MS } from "#shared/limits.ts";
import { AppError } from "../app-error.ts";
import type { Database } from "../db/client.ts";
import type { Caller } from "../env.ts";
import { findSessionTimes } from "./queries.ts";

/** Refuses whoever's session did not begin in the last ten minutes: a browser left open must not give the account away. */
export async function requireFreshSignIn(db: Database, { sessionId }: Caller): Promise<void> {
  const now = Date.now();
  const times = await findSessionTimes(db, sessionId, new Date(now).toISOString());
  if (!times || now - Date.parse(times.createdAt) > FRESH_SIGN_IN_MS) throw new AppError("FRESH_SIGN_IN_REQUIRED");
}
