import { and, eq, ne, or, sql } from "drizzle-orm";
import type { Database } from "#worker/platform/db/client.ts";
import { messagingLinks } from "#worker/platform/db/schema/messaging.ts";

type LinkRow = typeof messagingLinks.$inferSelect;

/** The number that an account writes from. */
export async function selectLink(db: Database, userId: string): Promise<LinkRow | undefined> {
  return db.select().from(messagingLinks).where(eq(messagingLinks.user_id, userId)).get();
}

/**
 * Whoever writes from this number and has this id of the app, as far as either is given and known: a number under another id has gone to
 * somebody else, and an id under another number is not answered at the old one.
 */
export async function selectLinkOf(
  db: Database,
  { phone, waUserId }: { phone: string | null; waUserId: string | null },
): Promise<LinkRow | undefined> {
  const isTheirs = or(
    waUserId === null ? undefined : eq(messagingLinks.wa_user_id, waUserId),
    phone === null ? undefined : eq(messagingLinks.phone, phone),
  );
  if (!isTheirs) return undefined;
  const rows = await db.select().from(messagingLinks).where(isTheirs).limit(2);
  return rows.find(
    (row) => (phone === null || row.phone === phone) && (waUserId === null || row.wa_user_id === null || row.wa_user_id === waUserId),
  );
}

/** Links a number to an account, whichever had it before, in the place of the account's other one. */
export async function upsertLink(db: Database, { userId, phone, at }: { userId: string; phone: string; at: string }): Promise<void> {
  const fresh = { phone, verified_at: at, wa_user_id: null, window_until: null };
  await db.batch([
    db.delete(messagingLinks).where(and(eq(messagingLinks.phone, phone), ne(messagingLinks.user_id, userId))),
    db
      .insert(messagingLinks)
      .values({ user_id: userId, ...fresh })
      .onConflictDoUpdate({ target: messagingLinks.user_id, set: fresh }),
  ]);
}

/** Forgets the app's id of whoever has this number or had this id: they have another from now on. */
export async function clearWaUserId(db: Database, { phone, waUserId }: { phone: string | null; waUserId: string | null }): Promise<void> {
  const isTheirs = or(
    waUserId === null ? undefined : eq(messagingLinks.wa_user_id, waUserId),
    phone === null ? undefined : eq(messagingLinks.phone, phone),
  );
  if (isTheirs) await db.update(messagingLinks).set({ wa_user_id: null }).where(isTheirs);
}

/** Forgets the account's number. */
export async function deleteLink(db: Database, userId: string): Promise<void> {
  await db.delete(messagingLinks).where(eq(messagingLinks.user_id, userId));
}

/** Notes until when a person may be answered freely, and their id where it is given; an earlier time changes nothing. */
export async function updateWindow(
  db: Database,
  { userId, until, waUserId }: { userId: string; until: string; waUserId: string | null },
): Promise<void> {
  const { window_until: known } = messagingLinks;
  // Another account may be known by that id still, should a number have moved on.
  if (waUserId !== null) {
    const isOther = and(eq(messagingLinks.wa_user_id, waUserId), ne(messagingLinks.user_id, userId));
    await db.update(messagingLinks).set({ wa_user_id: null }).where(isOther);
  }
  await db
    .update(messagingLinks)
    .set({ window_until: sql`max(coalesce(${known}, ''), ${until})`, ...(waUserId !== null && { wa_user_id: waUserId }) })
    .where(eq(messagingLinks.user_id, userId));
}
