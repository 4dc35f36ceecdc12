import * as z from "zod/mini";
import type { PermissionLevel } from "#shared/entities/chat.ts";
import type { ShareLevel } from "#shared/entities/share.ts";

/** One way in which one person other than the owner reaches the chat; `teamId` where it leads through a team. */
export type Member = {
  userId: string;
  name: string;
  via: string;
  teamId: string | null;
  level: ShareLevel;
  sharedById: string;
  sharedByName: string;
};

/** How one person stands to the chat. */
export type ChatAccess = {
  permissionLevel: PermissionLevel;
  isShared: boolean;
  hasBeenShared: boolean;
  sharedByName: string | null;
  /** Whose the chat is; null for its owner, and where the room does not know yet. */
  ownerName: string | null;
  /** This person's own teams that the chat is shared with. */
  teams: string[];
};

type Row = {
  user_id: string;
  name: string;
  via: string;
  team_id: string | null;
  level: ShareLevel;
  shared_by_id: string;
  shared_by_name: string;
};

/** Everybody but the owner by every way, in the order of their ids. */
export function listMembers(sql: SqlStorage): Member[] {
  return sql.exec<Row>("SELECT * FROM members ORDER BY user_id, via").toArray().map(toMember);
}

/** The ways in which one person has access to the chat; none for its owner. */
export function membershipsOf(sql: SqlStorage, userId: string): Member[] {
  return sql.exec<Row>("SELECT * FROM members WHERE user_id = ? ORDER BY via", userId).toArray().map(toMember);
}

/** True where somebody besides the owner reaches the chat. */
export function hasMembers(sql: SqlStorage): boolean {
  return sql.exec("SELECT 1 FROM members LIMIT 1").toArray().length > 0;
}

/** The ids of everybody but the owner. */
export function memberIds(sql: SqlStorage): string[] {
  return sql
    .exec<{ user_id: string }>("SELECT DISTINCT user_id FROM members")
    .toArray()
    .map((row) => row.user_id);
}

/** The ids of everybody who has access to the chat, its owner's first. */
export function readerIds(sql: SqlStorage): string[] {
  const owner = sql.exec<{ owner_id: string }>("SELECT owner_id FROM chat").toArray();
  return [...owner.map((row) => row.owner_id), ...memberIds(sql)];
}

/** How a person stands to the chat; null for a stranger. */
export function chatAccessOf(sql: SqlStorage, userId: string): ChatAccess | null {
  const chat = sql
    .exec<{ owner_id: string; owner_name: string | null; team_ids: string }>("SELECT owner_id, owner_name, team_ids FROM chat")
    .toArray()[0];
  if (chat?.owner_id === userId) {
    const teams = z.array(z.string()).parse(JSON.parse(chat.team_ids));
    return { permissionLevel: "owner", isShared: false, hasBeenShared: hasMembers(sql), sharedByName: null, ownerName: null, teams };
  }
  const hasShared = () => sql.exec("SELECT 1 FROM members WHERE shared_by_id = ? LIMIT 1", userId).toArray().length > 0;
  return bestAccess(membershipsOf(sql, userId), { ownerName: chat?.owner_name ?? null, hasShared });
}

/** The highest of all the ways decides, and names who shared. */
function bestAccess(
  ways: readonly Member[],
  { ownerName, hasShared }: { ownerName: string | null; hasShared: () => boolean },
): ChatAccess | null {
  const best = ways.find(({ level }) => level === "editor") ?? ways[0];
  if (!best) return null;
  const teams = [...new Set(ways.flatMap(({ teamId }) => teamId ?? []))].toSorted();
  return { permissionLevel: best.level, isShared: true, hasBeenShared: hasShared(), sharedByName: best.sharedByName, ownerName, teams };
}

/** What a new list changed: who is no longer in it, and who learns something new of how they stand to the chat, newcomers included. */
export type MembersChange = { lost: string[]; notified: string[] };

/** Puts the list that the relational database has in place of the one held; call it in a transaction. */
export function replaceMembers(sql: SqlStorage, next: readonly Member[]): MembersChange {
  const before = listMembers(sql);
  const knownByKey = new Map(before.map((member) => [keyOf(member), member]));
  const wanted = new Map(next.map((member) => [keyOf(member), member]));
  const removed = before.filter((member) => !wanted.has(keyOf(member)));
  const changed = [...wanted.values()].filter((member) => !isSame(knownByKey.get(keyOf(member)), member));
  for (const { userId, via } of removed) sql.exec("DELETE FROM members WHERE user_id = ? AND via = ?", userId, via);
  for (const { userId, via, teamId, name, level, sharedById, sharedByName } of changed) {
    sql.exec(
      `INSERT INTO members (user_id, via, team_id, name, level, shared_by_id, shared_by_name) VALUES (?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (user_id, via) DO UPDATE SET team_id = excluded.team_id, name = excluded.name, level = excluded.level,
         shared_by_id = excluded.shared_by_id, shared_by_name = excluded.shared_by_name`,
      userId,
      via,
      teamId,
      name,
      level,
      sharedById,
      sharedByName,
    );
  }
  const left = new Set(next.map(({ userId }) => userId));
  const touched = [...removed, ...changed];
  const lost = new Set(removed.map(({ userId }) => userId).filter((userId) => !left.has(userId)));
  const notified = new Set(touched.map(({ userId }) => userId).filter((userId) => left.has(userId)));
  // Who shares with others sees that they do.
  for (const { sharedById } of touched) if (left.has(sharedById)) notified.add(sharedById);
  return { lost: [...lost], notified: [...notified] };
}

function keyOf({ userId, via }: Member): string {
  return `${userId} ${via}`;
}

function isSame(known: Member | undefined, member: Member): boolean {
  return (
    known !== undefined &&
    known.teamId === member.teamId &&
    known.level === member.level &&
    known.name === member.name &&
    known.sharedById === member.sharedById &&
    known.sharedByName === member.sharedByName
  );
}

function toMember(row: Row): Member {
  const { user_id: userId, name, via, team_id: teamId, level, shared_by_id: sharedById, shared_by_name: sharedByName } = row;
  return { userId, name, via, teamId, level, sharedById, sharedByName };
}
