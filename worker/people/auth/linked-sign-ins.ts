import type { LinkedSignIn } from "#shared/contracts/account/linked-sign-ins.ts";
import { AppError } from "#worker/platform/errors/app-error.ts";
import type { GoogleProfile } from "#worker/platform/clients/google.ts";
import { canSendMail } from "#worker/platform/clients/mailer.ts";
import type { Database } from "#worker/platform/db/client.ts";
import type { Caller, Env } from "#worker/platform/env.ts";
import { deleteIdentity, findUserByIdentity, selectIdentities } from "#worker/people/users/users.ts";
import { sha256 } from "#worker/platform/random.ts";
import { endOtherSessions } from "#worker/people/sessions/sign-out.ts";

/**
 * The address that a Google account enters by, and whether that is proven: it was linked with a proof, or Google runs the mailbox. Where it
 * is not, a mailed code has to prove it first. What was linked before addresses were kept may have come by an address alone.
 */
export async function addressOf(
  env: Env,
  db: Database,
  { subject, email, ownsAddress }: GoogleProfile,
): Promise<{ email: string; isProven: boolean }> {
  const linked = await findUserByIdentity(db, "google", subject);
  if (!linked) return { email, isProven: ownsAddress };
  const { user } = linked;
  const isProven = linked.email !== null || (ownsAddress && user.email === email) || !canSendMail(env);
  // What Google names may have been somebody else's for long.
  return { email: isProven && ownsAddress ? email : (user.email ?? email), isProven };
}

/** The outside sign-ins that open a person's account. */
export async function readLinkedSignIns(db: Database, userId: string): Promise<LinkedSignIn[]> {
  return (await readLinked(db, userId)).map(({ id, provider, email, created_at: linkedAt }) => ({
    id,
    provider,
    email,
    linked_at: linkedAt,
  }));
}

/**
 * Has an outside sign-in open the account no more; whoever may have come by it is signed out everywhere but here. Answers the address that
 * it was known by, where one was. Throws NOT_FOUND, and MAIL_NOT_CONFIGURED where no code could be mailed to come in by.
 */
export async function removeLinkedSignIn(env: Env, db: Database, { caller, id }: { caller: Caller; id: string }): Promise<string | null> {
  if (!canSendMail(env)) throw new AppError("MAIL_NOT_CONFIGURED");
  const linked = (await readLinked(db, caller.userId)).find((one) => one.id === id);
  if (!linked || !(await deleteIdentity(db, caller.userId, linked))) throw new AppError("NOT_FOUND");
  await endOtherSessions(env, db, caller);
  return linked.email;
}

/** Each by a name of its own, as the provider's is nobody's to see. */
async function readLinked(db: Database, userId: string) {
  const rows = await selectIdentities(db, userId);
  return Promise.all(rows.map(async (row) => ({ ...row, id: await sha256(`${row.provider}|${row.subject}`) })));
}
