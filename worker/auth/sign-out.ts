import type { Database } from "../db/client.ts";
import type { Caller, Env } from "../env.ts";
import { log } from "../log.ts";
import { hubOf } from "../user-hub/stub.ts";
import { deleteSession, deleteSessions } from "./queries.ts";

/** Ends the caller's session, or all of them, and closes the sockets and streams they hold open. */
export async function endSessions(env: Env, db: Database, { caller, everywhere }: { caller: Caller; everywhere: boolean }): Promise<void> {
  const { userId, sessionId } = caller;
  if (everywhere) await deleteSessions(db, userId);
  else await deleteSession(db, userId, sessionId);
  await closeSessions(env, userId, everywhere ? "all" : [sessionId]);
}

/** Ends all sessions of the caller's but theirs, and closes what those hold open. */
export async function endOtherSessions(env: Env, db: Database, { userId, sessionId }: Caller): Promise<void> {
  await closeSessions(env, userId, await deleteSessions(db, userId, sessionId));
}

/** Closes the sockets and streams that sessions hold open whose rows are gone. */
export async function closeSessions(env: Env, userId: string, sessionIds: string[] | "all"): Promise<void> {
  try {
    await hubOf(env, userId).endSessions(sessionIds);
  } catch (cause) {
    // The sessions are gone, and signing out must not fail for a socket: what it still carries is this user's own.
    log.error("sockets outlived their session", { userId, cause });
  }
}
