import { type Database, openDatabase } from "../db/client.ts";
import type { Env } from "../env.ts";
import { findChatRow, readMailToken, setMailToken, updateChatCopy } from "./queries.ts";

export { type ChatOwner, deleteClaim, findByMailToken, findChatRows, keepChatRow } from "./queries.ts";
export { prepareQueued } from "./prepare-turn.ts";

/** Keeps the relational copy of a chat's title, and of whether it is public, in step with its room. */
export function syncChat(env: Env, { id, title, is_public }: { id: string; title: string; is_public: number }): Promise<void> {
  return updateChatCopy(openDatabase(env.DB), { id, title, public: is_public === 1 });
}

/** How a chat of this id stands to a person: theirs, theirs and deleted, or neither. */
export async function findOwnChat(db: Database, { id, userId }: { id: string; userId: string }): Promise<"own" | "deleted" | null> {
  const row = await findChatRow(db, id);
  if (row?.user_id !== userId) return null;
  return row.deleted_at === null ? "own" : "deleted";
}

/** Whose chat it is; null for one that has no row. */
export async function findOwnerId(db: Database, id: string): Promise<string | null> {
  return (await findChatRow(db, id))?.user_id ?? null;
}

/** True for a chat that its row says is public; the room has the last word. */
export async function isPublic(db: Database, id: string): Promise<boolean> {
  const row = await findChatRow(db, id);
  return row?.public === true && row.deleted_at === null;
}

/** The local part of a chat's mail address, made where it has none yet; null for a chat that is not there. */
export async function mailTokenOf(db: Database, id: string): Promise<string | null> {
  return (await readMailToken(db, id)) ?? setMailToken(db, id, { isNew: false });
}

/** Gives a chat another mail address: mail to the one before is refused from then on. */
export function renewMailToken(db: Database, id: string): Promise<string | null> {
  return setMailToken(db, id, { isNew: true });
}
