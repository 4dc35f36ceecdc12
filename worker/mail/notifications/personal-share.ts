import type { Database } from "#worker/platform/db/client.ts";
import { selectShareOf } from "./queries.ts";

/** A chat's share with one person: since when, who shared it, and whether an invitation's mail came before it. */
export type PersonalShare = { wasInvited: boolean; createdAt: string; sharer: { name: string; email: string } | null };

/** The share of a chat with this person alone; null where it reaches them through a team, or no longer. */
export async function findPersonalShare(db: Database, place: { chatId: string; userId: string }): Promise<PersonalShare | null> {
  const row = await selectShareOf(db, place);
  if (!row) return null;
  const { wasInvited, createdAt, name, sharerEmail } = row;
  return { wasInvited, createdAt, sharer: name !== null && sharerEmail !== null ? { name, email: sharerEmail } : null };
}
