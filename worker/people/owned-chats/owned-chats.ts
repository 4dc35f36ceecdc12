import { type Database, openDatabase } from "#worker/platform/db/client.ts";
import type { ChatSettings } from "#shared/entities/chat-settings.ts";
import { AppError } from "#worker/platform/errors/app-error.ts";
import type { Caller, Env } from "#worker/platform/env.ts";
import { countInHour, uncountInHour } from "#worker/platform/http/rate-limit.ts";
import { requireTeam } from "#worker/people/teams/teams.ts";
import type { NewChat } from "#worker/people/room/new-chat.ts";
import { roomOf } from "#worker/people/room/room.ts";
import { deleteClaim, findChatRow, insertChat, readMailToken, setMailToken, updateChatCopy } from "./queries.ts";

export { type ChatOwner, deleteClaim, findByMailToken, findChatRow, findChatRows, upsertChatRow, markChatDeleted } from "./queries.ts";

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

/** `createdAt` is when it began elsewhere, where that is known. */
export type Creation = {
  id: string;
  caller: Pick<Caller, "userId" | "anonymous">;
  settings: ChatSettings;
  title?: string;
  teamId?: string | null;
  createdAt?: string | undefined;
};

/** As `claimChat`, for a chat that its person begins by hand: they may begin so many in an hour. Throws RATE_LIMITED for one too many. */
export async function beginChat(env: Env, db: Database, creation: Creation): Promise<{ chat: NewChat; isNew: boolean }> {
  const { id, caller } = creation;
  // At once, as the first words wait for both.
  const counting = countInHour(env, "chats", caller).then(
    () => null,
    (cause: unknown) => ({ cause }),
  );
  try {
    const claim = await claimChat(db, creation);
    const refused = await counting;
    if (claim.isNew && refused) await deleteClaim(db, id);
    if (claim.isNew && refused) throw refused.cause;
    if (!claim.isNew && !refused) await uncountInHour(env, "chats", caller);
    return claim;
  } catch (cause) {
    if ((await counting) === null) await uncountInHour(env, "chats", caller);
    throw cause;
  }
}

/** Inserts the chat's row, once: another's chat and a deleted one are not found. Throws TEAM_NOT_FOUND where it may not begin in that team. */
export async function claimChat(
  db: Database,
  { id, caller, settings, title = "", teamId = null, createdAt = new Date().toISOString() }: Creation,
): Promise<{ chat: NewChat; isNew: boolean }> {
  if (teamId !== null && caller.anonymous) throw new AppError("TEAM_NOT_FOUND");
  if (teamId !== null) await requireTeam(db, teamId, caller.userId);
  const creation = { id, user_id: caller.userId, title, created_at: createdAt, team_id: teamId };
  const { row, isNew } = await insertChat(db, creation);
  if (!row || row.user_id !== caller.userId || row.deleted_at !== null) throw new AppError("NOT_FOUND");
  return { chat: { ownerId: caller.userId, title: row.title, settings, createdAt: row.created_at, teamId: row.team_id ?? null }, isNew };
}

/** Takes back a chat that was made for an upload and that nothing became of: its id is free again. */
export async function abandonChat(env: Env, db: Database, chatId: string): Promise<void> {
  await roomOf(env, chatId).purge({ free: true });
  await deleteClaim(db, chatId);
}
