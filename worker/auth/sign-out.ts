import type { Database } from "../db/client.ts";
import type { Caller, Env } from "../env.ts";
import { deleteSession, deleteSessions } from "./queries.ts";

/** Ends the caller's session, or all of them, and closes what they hold open. */
export async function endSessions(_env: Env, db: Database, { caller, everywhere }: { caller: Caller; everywhere: boolean }): Promise<void> {
  if (everywhere) await deleteSessions(db, caller.userId);
  else await deleteSession(db, caller.userId, caller.sessionId);
}
