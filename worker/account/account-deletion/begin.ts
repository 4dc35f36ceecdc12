import { AppError } from "#worker/platform/errors/app-error.ts";
import { closeSessions } from "#worker/people/sessions/sign-out.ts";
import type { Database } from "#worker/platform/db/client.ts";
import type { Env } from "#worker/platform/env.ts";
import { log } from "#worker/platform/log.ts";
import { enqueue } from "#worker/platform/jobs/job.ts";
import { leaderlessTeams } from "#worker/people/teams/depart.ts";
import { formerMailboxDigests, mailboxOf } from "#worker/people/users/mailbox-of.ts";
import { findUser } from "#worker/people/users/users.ts";
import { eraseAccountJob } from "./erase-account.ts";
import { beginRows, type Statement } from "./rows.ts";
import { eraseSharedChats } from "./shared-chats.ts";
import { FIRST_STAGE } from "./stages.ts";

type Begin = { userId: string; origin: string; entry?: Statement };

/**
 * Begins to delete an account, whoever asked for it: it is nameless, what it shared is gone and nobody gets into it any more once this
 * resolves, and a job deletes the rest; `entry` is noted where it begins. Asked again, it goes on. Throws CONFLICT while a team would be left without an admin, NOT_FOUND for nobody.
 */
export async function beginDeletion(env: Env, db: Database, { userId, origin, entry }: Begin): Promise<void> {
  const user = await findUser(db, userId);
  if (!user) throw new AppError("NOT_FOUND");
  await refuseLeaderless(db, userId);
  await noteDeletion(env, db, { userId, email: user.email, origin, entry });
  await closeSessions(env, userId, "all");
  try {
    await enqueue(env, eraseAccountJob, { userId });
  } catch (cause) {
    // The account is closed: what nobody queued is taken up before long (resume.ts).
    log.error("a deletion was not queued at once", { cause });
  }
  try {
    // Whoever reads a chat of theirs waits for no queue; the job does what is more than a request can.
    await eraseSharedChats(env, db, userId);
  } catch (cause) {
    log.error("shared chats of a deletion were left to its job", { cause });
  }
}

async function refuseLeaderless(db: Database, userId: string): Promise<void> {
  const teams = await leaderlessTeams(db, userId);
  const [first] = teams;
  if (!first) return;
  const names = teams.map(({ name }) => `\u2018${name}\u2019`).join(", ");
  const message =
    teams.length === 1
      ? `You are the only admin of ${names}. Make somebody else an admin, or delete the team first.`
      : `You are the only admin of ${names}. Make somebody else an admin of each, or delete these teams first.`;
  throw new AppError("CONFLICT", { message });
}

/** Notes that everything of a person goes from here on. */
export async function noteDeletion(
  env: Env,
  db: Database,
  { userId, email, origin, entry }: Omit<Begin, "entry"> & { email: string | null; entry?: Statement | undefined },
): Promise<void> {
  const [mailbox, [giftKey = ""]] = email === null ? ["", []] : [mailboxOf(email), await formerMailboxDigests(env, email)];
  await beginRows(db, { userId, origin, at: new Date().toISOString(), firstStage: FIRST_STAGE, mailbox, giftKey, entry });
}
