import * as z from "zod/mini";
import type { Database } from "#worker/platform/db/client.ts";
import type { Caller, Env } from "#worker/platform/env.ts";
import { enqueue, job } from "#worker/platform/jobs/job.ts";
import { log } from "#worker/platform/log.ts";
import { hubOf } from "#worker/people/hub/stub.ts";
import { deleteSession, deleteSessions, movePushDevice } from "./queries.ts";

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

/**
 * Closes the sockets and streams that sessions hold open whose rows are gone, and has their hub rely on them no more: at once, or by a job
 * where it cannot be reached just now.
 */
export async function closeSessions(env: Env, userId: string, sessionIds: string[] | "all"): Promise<void> {
  try {
    await hubOf(env, userId).endSessions(sessionIds);
  } catch (cause) {
    log.error("sockets outlived their session", { userId, cause });
    await enqueue(env, closeSessionsJob, { userId, sessionIds });
  }
}

/** Ends the session that a sign-in takes the place of: what was known of it opens nothing any more. The same person's tabs stay connected. */
export async function replaceSession(env: Env, db: Database, { before, after }: { before: Caller; after: Caller }): Promise<void> {
  const isSamePerson = before.userId === after.userId;
  if (!isSamePerson && !before.anonymous) return endSessions(env, db, { caller: before, everywhere: false });
  if (isSamePerson) await movePushDevice(db, { from: before.sessionId, to: after.sessionId });
  if (before.anonymous) await deleteSessions(db, before.userId, after.sessionId);
  else await deleteSession(db, before.userId, before.sessionId);
  if (!isSamePerson) return;
  try {
    await hubOf(env, after.userId).moveSession(before.sessionId, after.sessionId);
  } catch (cause) {
    // The tabs connect again when they are cut; nobody is kept from signing in by that.
    log.error("sockets or streams stayed with a session that was replaced", { userId: after.userId, cause });
    await closeSessions(env, after.userId, [before.sessionId]);
  }
}

const Ended = z.object({ userId: z.string(), sessionIds: z.union([z.array(z.string()), z.literal("all")]) });

/** Goes on with closing sessions whose hub could not be reached. */
export const closeSessionsJob = job("sessions.close", Ended, (env, { userId, sessionIds }) => hubOf(env, userId).endSessions(sessionIds));
