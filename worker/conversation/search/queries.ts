import { and, asc, eq, gt, inArray, isNull, or } from "drizzle-orm";
import type { Database } from "#worker/platform/db/client.ts";
import { chatShares, chatTeamShares } from "#worker/platform/db/schema/chat-shares.ts";
import { chats } from "#worker/platform/db/schema/chats.ts";
import { teamMembers } from "#worker/platform/db/schema/teams.ts";

/** Ids of chats that a user owns or reaches by a share, above `after` in their order. */
export async function listReachableChatIds(
  db: Database,
  userId: string,
  { after, limit }: { after: string; limit: number },
): Promise<string[]> {
  const shared = db.select({ id: chatShares.chat_id }).from(chatShares).where(eq(chatShares.user_id, userId));
  const byTeam = db
    .select({ id: chatTeamShares.chat_id })
    .from(chatTeamShares)
    .innerJoin(teamMembers, eq(teamMembers.team_id, chatTeamShares.team_id))
    .where(eq(teamMembers.user_id, userId));
  const rows = await db
    .select({ id: chats.id })
    .from(chats)
    .where(
      and(
        gt(chats.id, after),
        isNull(chats.deleted_at),
        or(eq(chats.user_id, userId), inArray(chats.id, shared), inArray(chats.id, byTeam)),
      ),
    )
    .orderBy(asc(chats.id))
    .limit(limit);
  return rows.map(({ id }) => id);
}
