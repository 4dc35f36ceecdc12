import { and, asc, eq, gt } from "drizzle-orm";
import type { AdditionalEmails } from "#shared/entities/user.ts";
import type { Database } from "#worker/platform/db/client.ts";
import { additionalEmailCodes, additionalEmails } from "#worker/platform/db/schema/additional-emails.ts";
import { users } from "#worker/platform/db/schema/users.ts";

/** A user's additional addresses, oldest first, and last the one that they asked a code for which holds at `now` (ISO 8601). */
export async function listAdditional(db: Database, userId: string, now: string): Promise<AdditionalEmails> {
  const awaited = and(eq(additionalEmailCodes.user_id, userId), gt(additionalEmailCodes.expires_at, now));
  const [proven, pending] = await db.batch([
    db
      .select({ email: additionalEmails.email, verified_at: additionalEmails.verified_at })
      .from(additionalEmails)
      .where(eq(additionalEmails.user_id, userId))
      .orderBy(asc(additionalEmails.verified_at), asc(additionalEmails.email)),
    db.select({ email: additionalEmailCodes.email }).from(additionalEmailCodes).where(awaited),
  ]);
  return [...proven, ...pending.map(({ email }) => ({ email, verified_at: null }))];
}

/** A user's own address with the proven additional ones, oldest first. */
export async function listVerified(db: Database, userId: string): Promise<string[]> {
  const [own, additional] = await db.batch([
    db.select({ email: users.email }).from(users).where(eq(users.id, userId)),
    db
      .select({ email: additionalEmails.email })
      .from(additionalEmails)
      .where(eq(additionalEmails.user_id, userId))
      .orderBy(asc(additionalEmails.verified_at), asc(additionalEmails.email)),
  ]);
  return [...own, ...additional].flatMap(({ email }) => email ?? []);
}

/** Whose address this is: an account's own before anybody's additional one. */
export async function findOwner(db: Database, email: string): Promise<string | undefined> {
  const [[own], [additional]] = await db.batch([
    db.select({ id: users.id }).from(users).where(eq(users.email, email)),
    db.select({ id: additionalEmails.user_id }).from(additionalEmails).where(eq(additionalEmails.email, email)),
  ]);
  return (own ?? additional)?.id;
}
