import { and, eq } from "drizzle-orm";
import type { Database } from "#worker/platform/db/client.ts";
import { chatShares } from "#worker/platform/db/schema/chat-shares.ts";
import { users } from "#worker/platform/db/schema/users.ts";

/** A chat's share with one person, with who shared it. */
export async function selectShareOf(db: Database, { chatId, userId }: { chatId: string; userId: string }) {
  return db
    .select({ wasInvited: chatShares.was_invited, createdAt: chatShares.created_at, name: users.display_name, sharerEmail: users.email })
    .from(chatShares)
    .leftJoin(users, eq(users.id, chatShares.shared_by))
    .where(and(eq(chatShares.chat_id, chatId), eq(chatShares.user_id, userId)))
    .get();
}
