import { and, eq, isNull, sql } from "drizzle-orm";
import type { Database } from "#worker/platform/db/client.ts";
import { users } from "#worker/platform/db/schema/users.ts";

/** Replaces the picture that a user was seen to have; false where they have another by now. */
export async function replacePicture(db: Database, id: string, { from, to }: { from: string | null; to: string | null }): Promise<boolean> {
  const isSame = from === null ? isNull(users.profile_image) : eq(users.profile_image, from);
  const changed = await db
    .update(users)
    .set({ profile_image: to })
    .where(and(eq(users.id, id), isSame))
    .returning({ id: users.id });
  return changed.length > 0;
}

/** Who is in a chat with a user: by a share of theirs, of the user's, or beside it, and by a team that the user is in; `limit` at most. */
export async function listContacts(db: Database, userId: string, limit: number): Promise<string[]> {
  const rows = await db.all<{ id: string }>(sql`
    WITH shared AS (
      SELECT id AS chat_id, user_id FROM chats WHERE user_id = ${userId}
      UNION SELECT s.chat_id, c.user_id FROM chat_shares s JOIN chats c ON c.id = s.chat_id WHERE s.user_id = ${userId}
    )
    SELECT user_id AS id FROM shared WHERE user_id <> ${userId}
    UNION SELECT s.user_id FROM shared JOIN chat_shares s ON s.chat_id = shared.chat_id WHERE s.user_id <> ${userId}
    UNION SELECT other.user_id FROM team_members own JOIN team_members other ON other.team_id = own.team_id
      WHERE own.user_id = ${userId} AND other.user_id <> ${userId}
    LIMIT ${limit}`);
  return rows.map(({ id }) => id);
}
