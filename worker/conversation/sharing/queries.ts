import { and, eq, gte, inArray, isNull, ne, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { ShareLevel } from "#shared/entities/share.ts";
import type { Database } from "#worker/platform/db/client.ts";
import { chatDepartures, chatShares, chatTeamShares } from "#worker/platform/db/schema/chat-shares.ts";
import { chats } from "#worker/platform/db/schema/chats.ts";
import { teamMembers, teams } from "#worker/platform/db/schema/teams.ts";
import { users } from "#worker/platform/db/schema/users.ts";

/** One way in which one person reaches a chat; `via` names the share, `teamId` the team of a share with one. */
export type Membership = {
  userId: string;
  name: string;
  via: string;
  teamId: string | null;
  level: ShareLevel;
  sharedById: string;
  sharedByName: string;
  /** The same of all ways into a chat: whose it is. */
  ownerName: string;
};

/** Every way in which anybody but the owner reaches a chat: by a share of their own, and through each of their teams that has one since they last left. */
export async function listMemberships(db: Database, { chatId, ownerId }: { chatId: string; ownerId: string }): Promise<Membership[]> {
  const sharer = alias(users, "sharer");
  const person = {
    userId: users.id,
    name: users.display_name,
    sharedByName: sql<string>`COALESCE(${sharer.display_name}, '')`,
    ownerName: sql<string>`COALESCE((SELECT o.display_name FROM users o WHERE o.id = ${ownerId}), '')`,
  };
  // Not as a batch: its rows come as objects, in which columns of one name take each other's place.
  const [own, byTeam] = await Promise.all([
    db
      .select({
        ...person,
        via: chatShares.id,
        teamId: sql<null>`NULL`,
        level: chatShares.permission_level,
        sharedById: chatShares.shared_by,
      })
      .from(chatShares)
      .innerJoin(users, eq(users.id, chatShares.user_id))
      .leftJoin(sharer, eq(sharer.id, chatShares.shared_by))
      .where(and(eq(chatShares.chat_id, chatId), ne(users.id, ownerId))),
    db
      .select({
        ...person,
        via: chatTeamShares.id,
        teamId: chatTeamShares.team_id,
        level: chatTeamShares.permission_level,
        sharedById: chatTeamShares.shared_by,
      })
      .from(chatTeamShares)
      .innerJoin(teamMembers, eq(teamMembers.team_id, chatTeamShares.team_id))
      .innerJoin(users, eq(users.id, teamMembers.user_id))
      .leftJoin(sharer, eq(sharer.id, chatTeamShares.shared_by))
      .leftJoin(
        chatDepartures,
        and(
          eq(chatDepartures.chat_id, chatTeamShares.chat_id),
          eq(chatDepartures.user_id, users.id),
          gte(chatDepartures.created_at, chatTeamShares.created_at),
        ),
      )
      .where(and(eq(chatTeamShares.chat_id, chatId), ne(users.id, ownerId), isNull(chatDepartures.user_id))),
  ]);
  return [...own, ...byTeam];
}

/** A chat's shares with teams that show members to admins alone, where this person is not one. */
export async function listVeiledShares(db: Database, { chatId, userId }: { chatId: string; userId: string }): Promise<string[]> {
  const isAdmin = and(eq(teamMembers.team_id, teams.id), eq(teamMembers.user_id, userId), eq(teamMembers.role, "admin"));
  const rows = await db
    .select({ id: chatTeamShares.id })
    .from(chatTeamShares)
    .innerJoin(teams, eq(teams.id, chatTeamShares.team_id))
    .leftJoin(teamMembers, isAdmin)
    .where(and(eq(chatTeamShares.chat_id, chatId), eq(teams.members_restricted, true), isNull(teamMembers.user_id)));
  return rows.map(({ id }) => id);
}

/** Names and pictures of these users. */
export async function selectFaces(db: Database, ids: readonly string[]) {
  return db
    .select({ id: users.id, display_name: users.display_name, profile_image: users.profile_image })
    .from(users)
    .where(inArray(users.id, [...ids]));
}

/** A chat's shares with people and addresses, oldest first. */
export async function listUserShares(db: Database, chatId: string) {
  return db
    .select({
      id: chatShares.id,
      userId: chatShares.user_id,
      userDisplayName: users.display_name,
      userEmail: chatShares.email,
      permissionLevel: chatShares.permission_level,
      sharedAt: chatShares.created_at,
    })
    .from(chatShares)
    .leftJoin(users, eq(users.id, chatShares.user_id))
    .where(eq(chatShares.chat_id, chatId))
    .orderBy(chatShares.created_at, chatShares.id);
}

/** The owner's own teams that a chat is shared with, in the order of their ids. */
export async function listOwnTeamIds(db: Database, { chatId, ownerId }: { chatId: string; ownerId: string }): Promise<string[]> {
  const rows = await db
    .select({ id: chatTeamShares.team_id })
    .from(chatTeamShares)
    .innerJoin(teams, eq(teams.id, chatTeamShares.team_id))
    .innerJoin(teamMembers, and(eq(teamMembers.team_id, teams.id), eq(teamMembers.user_id, ownerId)))
    .where(and(eq(chatTeamShares.chat_id, chatId), isNull(teams.deleted_at)))
    .orderBy(chatTeamShares.team_id);
  return rows.map(({ id }) => id);
}

/** A chat's shares with teams, oldest first. */
export async function listTeamShares(db: Database, chatId: string) {
  return db
    .select({
      id: chatTeamShares.id,
      teamId: chatTeamShares.team_id,
      teamName: teams.name,
      permissionLevel: chatTeamShares.permission_level,
      sharedAt: chatTeamShares.created_at,
    })
    .from(chatTeamShares)
    .innerJoin(teams, eq(teams.id, chatTeamShares.team_id))
    .where(and(eq(chatTeamShares.chat_id, chatId), isNull(teams.deleted_at)))
    .orderBy(chatTeamShares.created_at, chatTeamShares.id);
}

type NewShare = { chatId: string; level: ShareLevel; sharedBy: string };

/** Shares a chat with an address, or changes the level of that share; it is a person's where they are known, and they are back if they had left. */
export async function upsertUserShare(db: Database, share: NewShare & { email: string; userId: string | null }): Promise<void> {
  const { chatId, level, sharedBy, email, userId } = share;
  const row = {
    id: crypto.randomUUID(),
    chat_id: chatId,
    // Who signed up since they were looked for takes no invitation any more.
    user_id: userId ?? sql<string | null>`(SELECT id FROM users WHERE email = ${email})`,
    email,
    permission_level: level,
    shared_by: sharedBy,
    created_at: new Date().toISOString(),
  };
  const set = { permission_level: level, ...(userId !== null && { user_id: userId }) };
  await db.batch([
    db
      .insert(chatShares)
      .values(row)
      .onConflictDoUpdate({ target: [chatShares.chat_id, chatShares.email], set }),
    db.delete(chatDepartures).where(and(eq(chatDepartures.chat_id, chatId), eq(chatDepartures.user_id, userId ?? ""))),
  ]);
}

/** True where this address has a share of the chat, invited ones too. */
export async function hasUserShare(db: Database, chatId: string, email: string): Promise<boolean> {
  const found = await db
    .select({ id: chatShares.id })
    .from(chatShares)
    .where(and(eq(chatShares.chat_id, chatId), eq(chatShares.email, email)))
    .get();
  return found !== undefined;
}

/** True where this team has a share of the chat. */
export async function hasTeamShare(db: Database, chatId: string, teamId: string): Promise<boolean> {
  const found = await db
    .select({ id: chatTeamShares.id })
    .from(chatTeamShares)
    .where(and(eq(chatTeamShares.chat_id, chatId), eq(chatTeamShares.team_id, teamId)))
    .get();
  return found !== undefined;
}

/** Shares a chat with a team, or changes the level of that share. */
export async function upsertTeamShare(db: Database, { chatId, level, sharedBy, teamId }: NewShare & { teamId: string }): Promise<void> {
  const row = {
    id: crypto.randomUUID(),
    chat_id: chatId,
    team_id: teamId,
    permission_level: level,
    shared_by: sharedBy,
    created_at: new Date().toISOString(),
  };
  await db
    .insert(chatTeamShares)
    .values(row)
    .onConflictDoUpdate({ target: [chatTeamShares.chat_id, chatTeamShares.team_id], set: { permission_level: level } });
}

/** Takes a share with a person or an address back; false where the chat has none of this id. */
export async function deleteUserShare(db: Database, chatId: string, id: string): Promise<boolean> {
  const deleted = await db
    .delete(chatShares)
    .where(and(eq(chatShares.chat_id, chatId), eq(chatShares.id, id)))
    .returning({ id: chatShares.id });
  return deleted.length > 0;
}

/** Takes a share with a team back; false where the chat has none of this id. */
export async function deleteTeamShare(db: Database, chatId: string, id: string): Promise<boolean> {
  const deleted = await db
    .delete(chatTeamShares)
    .where(and(eq(chatTeamShares.chat_id, chatId), eq(chatTeamShares.id, id)))
    .returning({ id: chatTeamShares.id });
  return deleted.length > 0;
}

/** Lets a person out of a chat, whichever ways they have access now; a team that gets a share later brings them back. */
export async function leave(db: Database, chatId: string, userId: string): Promise<void> {
  const at = { created_at: new Date().toISOString() };
  await db.batch([
    db.delete(chatShares).where(and(eq(chatShares.chat_id, chatId), eq(chatShares.user_id, userId))),
    db
      .insert(chatDepartures)
      .values({ chat_id: chatId, user_id: userId, ...at })
      .onConflictDoUpdate({ target: [chatDepartures.chat_id, chatDepartures.user_id], set: at }),
  ]);
}

/** Forgets all shares of a deleted chat. */
export async function deleteShares(db: Database, chatId: string): Promise<void> {
  await db.batch([
    db.delete(chatShares).where(eq(chatShares.chat_id, chatId)),
    db.delete(chatTeamShares).where(eq(chatTeamShares.chat_id, chatId)),
    db.delete(chatDepartures).where(eq(chatDepartures.chat_id, chatId)),
  ]);
}

/** The chats that an address is invited to, deleted ones left out. */
export async function listInvitedChats(db: Database, email: string): Promise<string[]> {
  const rows = await db
    .select({ chatId: chatShares.chat_id })
    .from(chatShares)
    .innerJoin(chats, eq(chats.id, chatShares.chat_id))
    .where(and(eq(chatShares.email, email), isNull(chatShares.user_id), isNull(chats.deleted_at)));
  return rows.map(({ chatId }) => chatId);
}

/** Makes the invitation of an address to a chat the share of the person who has proven it; one who has a share already keeps the higher level. */
export async function acceptInvitation(db: Database, chatId: string, { email, userId }: { email: string; userId: string }): Promise<void> {
  const invitation = and(eq(chatShares.chat_id, chatId), eq(chatShares.email, email), isNull(chatShares.user_id));
  const own = and(eq(chatShares.chat_id, chatId), eq(chatShares.user_id, userId));
  const [held] = await db.select({ id: chatShares.id }).from(chatShares).where(own);
  if (!held) {
    await db.update(chatShares).set({ user_id: userId, was_invited: true }).where(invitation);
    return;
  }
  const [invited] = await db.delete(chatShares).where(invitation).returning({ level: chatShares.permission_level });
  if (invited?.level === "editor") await db.update(chatShares).set({ permission_level: "editor" }).where(own);
}
