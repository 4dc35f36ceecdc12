/** The job that deletes what an account leaves: a step a message, each queueing the next one; the row says how far it is. */
import * as z from "zod/mini";
import { SESSION_TOKEN_MS } from "#shared/limits.ts";
import { canSendMail, sendMail, type Mail } from "#worker/platform/clients/mailer.ts";
import { openDatabase, type Database } from "#worker/platform/db/client.ts";
import type { Env } from "#worker/platform/env.ts";
import { enqueue, type Job, job } from "#worker/platform/jobs/job.ts";
import { log } from "#worker/platform/log.ts";
import { type Deletion, deleteDeletion, selectDeletion, updateDeletion } from "./queries.ts";
import { forgetFailures } from "./rows.ts";
import { runDeletionStep, FIRST_STAGE } from "./stages.ts";
import { APP_NAME } from "#shared/app.ts";
import { letter } from "#worker/platform/letters/letter.ts";

/** Passes over everything: the second one finds what was on its way during the first. */
const PASSES = 2;
/** It begins once no token of a session that is over is in force any more, in seconds. */
const REST_SECONDS = (2 * SESSION_TOKEN_MS) / 1_000;
/** A farewell that so many attempts could not mail is not mailed: the deletion does not wait for it. */
const MAIL_ATTEMPTS = 3;

const Erase = z.object({ userId: z.string() });
type Erase = z.infer<typeof Erase>;

/** Goes on with the deletion of an account; one that is through, or never began, is left alone. */
export const eraseAccountJob: Job<Erase> = job("account.delete", Erase, async (env, { userId }, attempt) => {
  const db = openDatabase(env.DB);
  const deletion = await selectDeletion(db, userId);
  if (!deletion) return;
  const at = await runDeletionStep({ env, db, deletion, attempt });
  const touched_at = new Date().toISOString();
  if (at) {
    await updateDeletion(db, deletion, { ...at, pass: deletion.pass, touched_at });
    return enqueue(env, eraseAccountJob, { userId });
  }
  if (deletion.pass < PASSES) {
    await updateDeletion(db, deletion, { stage: FIRST_STAGE, after: "", pass: deletion.pass + 1, touched_at });
    return enqueue(env, eraseAccountJob, { userId }, { delaySeconds: REST_SECONDS });
  }
  await end(env, db, { deletion, attempt });
});

async function end(env: Env, db: Database, { deletion, attempt }: { deletion: Deletion; attempt: number }): Promise<void> {
  try {
    const { mail_to: to, origin } = deletion;
    if (to !== null && canSendMail(env)) await sendMail(env, farewellMail({ to, origin }), origin);
  } catch (cause) {
    if (attempt < MAIL_ATTEMPTS) throw cause;
    log.warn("a deleted account's owner was not mailed", { cause });
  }
  await forgetFailures(db, deletion.user_id);
  await deleteDeletion(db, deletion.user_id);
}

/** Says that an account is deleted, and nothing of what it held. */
function farewellMail({ to, origin }: { to: string; origin: string }): Mail {
  return letter({
    to,
    subject: `Your ${APP_NAME} account is deleted`,
    paragraphs: [
      `Your ${APP_NAME} account and everything that belonged to it are deleted. Nothing of it can be brought back.`,
      "You can sign in with this address at any time: it makes a new, empty account.",
    ],
    button: { label: `Open ${APP_NAME}`, url: origin },
    footnote: "This is the last mail about this account.",
  });
}
