import { and, eq } from "drizzle-orm";
import type { SharedKind } from "#shared/sharing/share-links.ts";
import type { Database } from "#worker/platform/db/client.ts";
import { shareLinks } from "#worker/platform/db/schema/share-links.ts";

export type Item = { kind: SharedKind; id: string };

function isOf({ kind, id }: Item) {
  return and(eq(shareLinks.kind, kind), eq(shareLinks.content_id, id));
}

/** Stores an item's link in place of the one before. */
export async function upsertLink(db: Database, { kind, id }: Item, tokenHash: string, at: string): Promise<void> {
  const link = { token_hash: tokenHash, created_at: at };
  await db
    .insert(shareLinks)
    .values({ kind, content_id: id, ...link })
    .onConflictDoUpdate({ target: [shareLinks.kind, shareLinks.content_id], set: link });
}

export async function selectLinkOf(db: Database, item: Item) {
  return db.select().from(shareLinks).where(isOf(item)).get();
}

/** The link of a kind with this hash: an index finds it, so timing reveals nothing about a guess. */
export async function selectLink(db: Database, kind: SharedKind, tokenHash: string) {
  return db
    .select()
    .from(shareLinks)
    .where(and(eq(shareLinks.token_hash, tokenHash), eq(shareLinks.kind, kind)))
    .get();
}

/** Removes an item's link; false where it has none. */
export async function deleteLinkOf(db: Database, item: Item): Promise<boolean> {
  const deleted = await db.delete(shareLinks).where(isOf(item)).returning({ id: shareLinks.content_id });
  return deleted.length > 0;
}
