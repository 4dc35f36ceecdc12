import type { BatchItem } from "drizzle-orm/batch";
import { and, eq, gt, inArray, lt, lte, or, sql } from "drizzle-orm";
import type { Database } from "#worker/platform/db/client.ts";
import { inviteUses } from "#worker/platform/db/schema/invites.ts";
import { type PersonRow, personColumns } from "#worker/platform/db/schema/person.ts";
import { creditGifts, identities, users } from "#worker/platform/db/schema/users.ts";

export type UserRow = typeof users.$inferSelect;
export type NewUserRow = typeof users.$inferInsert;

export async function findUser(db: Database, id: string): Promise<UserRow | undefined> {
  return db.select().from(users).where(eq(users.id, id)).get();
}

/** A user by mail address (normalised). */
export async function findUserByEmail(db: Database, email: string): Promise<UserRow | undefined> {
  return db.select().from(users).where(eq(users.email, email)).get();
}

/** A user by mail address (normalised), with what a description of them needs. */
export async function findPersonByEmail(db: Database, email: string): Promise<PersonRow | undefined> {
  return db.select(personColumns(new Date().toISOString())).from(users).where(eq(users.email, email)).get();
}

/** The user that an outside sign-in opens, and the address that it last went by; null where it was not used since that is kept. */
export async function findUserByIdentity(
  db: Database,
  provider: "google",
  subject: string,
): Promise<{ user: UserRow; email: string | null } | undefined> {
  return db
    .select({ user: users, email: identities.email })
    .from(identities)
    .innerJoin(users, eq(users.id, identities.user_id))
    .where(and(eq(identities.provider, provider), eq(identities.subject, subject)))
    .get();
}

/** Lets an outside sign-in open this account from now on; false where it did already. */
export async function insertIdentity(db: Database, row: typeof identities.$inferInsert): Promise<boolean> {
  const inserted = await db.insert(identities).values(row).onConflictDoNothing().returning({ subject: identities.subject });
  return inserted.length > 0;
}

/** The outside sign-ins that open an account, oldest first. */
export async function selectIdentities(db: Database, userId: string) {
  return db.select().from(identities).where(eq(identities.user_id, userId)).orderBy(identities.created_at, identities.subject);
}

type IdentityKey = Pick<typeof identities.$inferSelect, "provider" | "subject">;

/** Notes the address that an outside sign-in goes by at its provider now, where it is another. */
export async function updateIdentityEmail(db: Database, { provider, subject }: IdentityKey, email: string): Promise<void> {
  await db
    .update(identities)
    .set({ email })
    .where(and(eq(identities.provider, provider), eq(identities.subject, subject), sql`${identities.email} IS NOT ${email}`));
}

/** Has an outside sign-in open this account no more; false where it did not. */
export async function deleteIdentity(db: Database, userId: string, { provider, subject }: IdentityKey): Promise<boolean> {
  const isThis = and(eq(identities.provider, provider), eq(identities.subject, subject), eq(identities.user_id, userId));
  return (await db.delete(identities).where(isThis).returning({ subject: identities.subject })).length > 0;
}

/** Stores a new guest; undefined when the id was taken. */
export async function insertUser(db: Database, row: NewUserRow): Promise<UserRow | undefined> {
  return db.insert(users).values(row).onConflictDoNothing().returning().get();
}

/** What an account begins with, in micro-dollars, unless its mailbox had that before; `formerKeys` are what a deleted account may have left of it. */
export type Gift = { mailbox: string; formerKeys: readonly string[]; micros: number };

/** The use of an invite, written with the account that it opens; `activatedAt` is null where its plan has yet to be approved. */
export type InviteUse = { inviteId: string; at: string; activatedAt: string | null };

/** What is written with an account that is opened, in the same transaction: its gift, the use of its invite, and what else belongs to it. */
export type Opening = { gift: Gift; invite: InviteUse | null; beside: readonly BatchItem<"sqlite">[] };

/** An account that was opened, and what the database answered to each of the statements beside it. */
export type Made = { row: UserRow; besideResults: unknown[] };

function made(row: UserRow | undefined, { results, beside }: { results: readonly unknown[]; beside: Opening["beside"] }): Made | undefined {
  return row && { row, besideResults: results.slice(results.length - beside.length) };
}

/** Stores a new account with its gift in one transaction; undefined when the address was taken a moment before. Throws where its invite is gone. */
export async function insertAccount(db: Database, row: NewUserRow, { gift, invite, beside }: Opening): Promise<Made | undefined> {
  const results = await db.batch([
    claimGift(db, gift, row.id),
    db
      .insert(users)
      .values({ ...row, credits_micros: given(gift, row.id) })
      .onConflictDoNothing()
      .returning(),
    ...(invite ? [insertUse(db, invite, { userId: row.id, wasGuest: false })] : []),
    ...beside,
  ]);
  return made(results[1][0], { results, beside });
}

/** A second use fails by the table's key, and the whole transaction with it. */
function insertUse(db: Database, { inviteId, at, activatedAt }: InviteUse, { userId, wasGuest }: { userId: string; wasGuest: boolean }) {
  return db
    .insert(inviteUses)
    .select(sql`SELECT ${inviteId}, id, ${at}, ${activatedAt}, NULL FROM users WHERE id = ${userId} AND anonymous = ${Number(wasGuest)}`);
}

function claimGift(db: Database, { mailbox, formerKeys }: Gift, userId: string) {
  const claim = sql`SELECT ${mailbox}, ${userId}, ${new Date().toISOString()} WHERE NOT EXISTS (${hadBefore(formerKeys)})`;
  return db.insert(creditGifts).select(claim).onConflictDoNothing();
}

function hadBefore(formerKeys: readonly string[]) {
  return sql`SELECT 1 FROM ${creditGifts} WHERE ${inArray(creditGifts.mailbox, [...formerKeys])}`;
}

function given({ mailbox, micros }: Gift, userId: string) {
  const isTheirs = sql`SELECT 1 FROM ${creditGifts} WHERE ${creditGifts.mailbox} = ${mailbox} AND ${creditGifts.user_id} = ${userId}`;
  return sql<number>`CASE WHEN EXISTS (${isTheirs}) THEN ${micros} ELSE 0 END`;
}

/** Changes fields of a user and returns the row. */
export async function updateUserRow(db: Database, id: string, changes: Partial<NewUserRow>): Promise<UserRow | undefined> {
  return db.update(users).set(changes).where(eq(users.id, id)).returning().get();
}

/** Claims a gift for a guest, unless it is none any more. */
function claimGuestGift(db: Database, { mailbox, formerKeys }: Gift, guestId: string) {
  const claim = db
    .select({
      mailbox: sql<string>`${mailbox}`.as("mailbox"),
      user_id: users.id,
      created_at: sql<string>`${new Date().toISOString()}`.as("created_at"),
    })
    .from(users)
    .where(and(isGuest(guestId), sql`NOT EXISTS (${hadBefore(formerKeys)})`));
  return db.insert(creditGifts).select(claim).onConflictDoNothing();
}

function isGuest(id: string) {
  return and(eq(users.id, id), eq(users.anonymous, true));
}

/** Makes a guest an account with its gift, in one transaction; undefined, with nothing claimed, when it is no guest any more. */
export async function promoteGuestRow(
  db: Database,
  id: string,
  { changes, gift, invite, beside }: Opening & { changes: Partial<NewUserRow> },
): Promise<Made | undefined> {
  const promote = db
    .update(users)
    .set({ ...changes, credits_micros: given(gift, id), anonymous: false })
    .where(isGuest(id))
    .returning();
  if (!invite) {
    const results = await db.batch([claimGuestGift(db, gift, id), promote, ...beside]);
    return made(results[1][0], { results, beside });
  }
  const results = await db.batch([claimGuestGift(db, gift, id), insertUse(db, invite, { userId: id, wasGuest: true }), promote, ...beside]);
  return made(results[2][0], { results, beside });
}

/** Guests last seen before `cutoff` (ISO 8601), oldest first, after the given one. */
export async function listUnusedGuests(
  db: Database,
  { cutoff, after, limit }: { cutoff: string; after: { last_seen_at: string; id: string } | null; limit: number },
): Promise<{ id: string; last_seen_at: string }[]> {
  const unused = and(eq(users.anonymous, true), lt(users.last_seen_at, cutoff));
  const further = after
    ? or(gt(users.last_seen_at, after.last_seen_at), and(eq(users.last_seen_at, after.last_seen_at), gt(users.id, after.id)))
    : undefined;
  return db
    .select({ id: users.id, last_seen_at: users.last_seen_at })
    .from(users)
    .where(and(unused, further))
    .orderBy(users.last_seen_at, users.id)
    .limit(limit);
}

/** Users seen after the given one and not after `until` (ISO 8601), in the order of their being seen. */
export async function listSeenSince(
  db: Database,
  { after, until, limit }: { after: { last_seen_at: string; id: string }; until: string; limit: number },
): Promise<{ id: string; last_seen_at: string }[]> {
  return db
    .select({ id: users.id, last_seen_at: users.last_seen_at })
    .from(users)
    .where(and(sql`(${users.last_seen_at}, ${users.id}) > (${after.last_seen_at}, ${after.id})`, lte(users.last_seen_at, until)))
    .orderBy(users.last_seen_at, users.id)
    .limit(limit);
}

/** Deletes a guest with its sessions; an account is never deleted here. */
export async function deleteGuestRow(db: Database, id: string): Promise<void> {
  await db.delete(users).where(isGuest(id));
}
