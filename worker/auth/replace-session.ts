import type { Database } from "../db/client.ts";
import type { Caller, Env } from "../env.ts";
import { log } from "../log.ts";
import { hubOf } from "../user-hub/stub.ts";
import { deleteSession, deleteSessions } from "./queries.ts";
import { endSessions } from "./sign-out.ts";

/** Ends the session that a sign-in takes the place of: what was known of it opens nothing any more. The same person's tabs stay connected. */
export async function replaceSession(env: Env, db: Database, { before, after }: { before: Caller; after: Caller }): Promise<void> {
  const isSamePerson = before.userId === after.userId;
  if (!isSamePerson && !before.anonymous) return endSessions(env, db, { caller: before, everywhere: false });
  if (before.anonymous) await deleteSessions(db, before.userId, after.sessionId);
  else await deleteSession(db, before.userId, before.sessionId);
  if (!isSamePerson) return;
  try {
    await hubOf(env, after.userId).moveSession(before.sessionId, after.sessionId);
  } catch (cause) {
    // The tabs connect again when they are next cut; nobody is kept from signing in by that.
    log.error("sockets or streams stayed with a session that was replaced", { userId: after.userId, cause });
  }
}
