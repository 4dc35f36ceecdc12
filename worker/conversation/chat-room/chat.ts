import { applySettings, type ChatSettings, ChatSettingsChange, NO_SETTINGS } from "#shared/entities/chat-settings.ts";
import { ForkOrigin } from "#shared/entities/chat.ts";
import { fromMicros } from "#worker/platform/spending/money.ts";
import { StoredTurn } from "#worker/conversation/turn/stored-turn.ts";
import { refuse } from "./access/access.ts";
import type { ChatAccess } from "./access/members.ts";
import { countMails } from "./mails/mail-rows.ts";
import { previewOf } from "./preview.ts";
import type { ChatPatch, ChatRow, RoomDetails } from "#worker/conversation/room/rpc.ts";
import type { NewChat } from "#worker/people/room/new-chat.ts";
import type { Reader } from "#worker/people/callers/reader.ts";

type Stored = {
  id: string;
  owner_id: string;
  title: string;
  title_source: string;
  /** JSON of its `ChatSettings`. */
  settings: string;
  /** The newest reply. */
  head_id: string | null;
  /** Where the branch ends that all see who chose none; null for the newest reply's. */
  main_id: string | null;
  cost_micros: number;
  version: number;
  created_at: string;
  last_at: string;
  last_preview: string;
  last_sender_id: string | null;
  last_sender_name: string | null;
  /** The model whose the newest message is. */
  last_model_id: string | null;
  forked_from: string | null;
  activity_seq: number;
  activity_by: string | null;
  is_public: number;
  published: string | null;
  /** JSON of the ids of the owner's teams that it is shared with. */
  team_ids: string;
  /** What its owner is called, as of the last time its readers were read; null while it never had any. */
  owner_name: string | null;
};

/** Changes of the chat's row that are written together, as each statement is a billed row. */
export type ChatChanges = Partial<Omit<Stored, "id" | "version">> & { turn?: string | null };

/** The chat's own row, without the turn that it may hold. */
export function readChat(sql: SqlStorage): Stored {
  return sql
    .exec<Stored>(
      `SELECT id, owner_id, title, title_source, settings, head_id, main_id, cost_micros, version, created_at,
         last_at, last_preview, last_sender_id, last_sender_name, last_model_id, forked_from, activity_seq, activity_by,
         is_public, published, team_ids, owner_name FROM chat`,
    )
    .one();
}

/** Whose chat it is; a column by itself takes a third of the time that the row does. */
export function ownerOf(sql: SqlStorage): string {
  return sql.exec<{ owner_id: string }>("SELECT owner_id FROM chat").one().owner_id;
}

/** The version of the chat's row. */
export function versionOf(sql: SqlStorage): number {
  return sql.exec<{ version: number }>("SELECT version FROM chat").one().version;
}

/** Writes changes of the chat's row along with its next version, which the readers' hubs go by. */
export function changeChat(sql: SqlStorage, changes: ChatChanges): void {
  const columns = Object.entries(changes);
  const sets = columns.map(([column]) => `${column} = ?, `).join("");
  sql.exec(`UPDATE chat SET ${sets}version = version + 1`, ...columns.map(([, value]) => value ?? null));
}

/** What a patch changes of the chat's row; its title goes by a rule of its own. */
export function columnChanges(
  sql: SqlStorage,
  { title: _title, public: isPublic, ...settings }: ChatPatch,
  by: Pick<Reader, "userId" | "displayName">,
): ChatChanges {
  const published = { id: by.userId, name: by.displayName, at: new Date().toISOString() };
  return {
    ...(isPublic !== undefined && { is_public: Number(isPublic), published: isPublic ? JSON.stringify(published) : null }),
    ...(Object.keys(settings).length > 0 && { settings: JSON.stringify(applySettings(readSettings(sql), settings)) }),
  };
}

/** True once the chat was created. */
export function hasChat(sql: SqlStorage): boolean {
  return sql.exec("SELECT 1 FROM chat").toArray().length > 0;
}

const TURN_STATE = "CASE WHEN turn IS NULL THEN 'none' WHEN json_extract(turn, '$.isWaiting') THEN 'waiting' ELSE 'running' END";

/** True while a turn goes on by itself: it has not settled, and does not wait for a person. */
export function hasTurn(sql: SqlStorage): boolean {
  return sql.exec(`SELECT 1 FROM chat WHERE ${TURN_STATE} = 'running'`).toArray().length > 0;
}

/** The turn that has not settled, or null. */
export function storedTurn(sql: SqlStorage): StoredTurn | null {
  const row = sql.exec<{ turn: string }>("SELECT turn FROM chat WHERE turn IS NOT NULL").toArray()[0];
  return row ? StoredTurn.parse(JSON.parse(row.turn)) : null;
}

/** How a chat was begun: in which team's workspace, and whether from a file. */
type Beginning = { teamId: string | null; isUntrusted: boolean };

/** It never changes, and a turn asks for it several times. */
const beginnings = new WeakMap<SqlStorage, Beginning>();

function beginningOf(sql: SqlStorage): Beginning | null {
  const known = beginnings.get(sql);
  if (known) return known;
  const row = sql.exec<{ team_id: string | null; is_untrusted: number }>("SELECT team_id, is_untrusted FROM chat").toArray()[0];
  if (!row) return null;
  const beginning = { teamId: row.team_id, isUntrusted: row.is_untrusted === 1 };
  beginnings.set(sql, beginning);
  return beginning;
}

/** The team in whose workspace the chat was begun, which its costs are reported to; null for a personal one, and where no chat is yet. */
export function teamOf(sql: SqlStorage): string | null {
  return beginningOf(sql)?.teamId ?? null;
}

/** True where the chat was created with what a file said, which anyone may have written. */
export function isImportedChat(sql: SqlStorage): boolean {
  return beginningOf(sql)?.isUntrusted ?? false;
}

/** Notes that a chat that is being created holds what a file said. */
export function markImported(sql: SqlStorage): void {
  sql.exec("UPDATE chat SET is_untrusted = 1");
  beginnings.delete(sql);
}

/** Founds the chat: its one row. */
export function createChat(sql: SqlStorage, id: string, { ownerId, title, settings, createdAt, teamId }: NewChat): void {
  sql.exec(
    `INSERT INTO chat (id, owner_id, title, title_source, settings, created_at, last_at, team_id, team_ids, is_access_pending)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    id,
    ownerId,
    title,
    title === "" ? "none" : "user",
    JSON.stringify(settings),
    createdAt,
    createdAt,
    teamId,
    JSON.stringify(teamId === null ? [] : [teamId]),
    // Who is in the team the database knows.
    Number(teamId !== null),
  );
  beginnings.set(sql, { teamId, isUntrusted: false });
}

type SharedColumns = { turn_state: string; has_mails: number } & Pick<
  Stored,
  | "id"
  | "owner_id"
  | "title"
  | "created_at"
  | "last_at"
  | "last_preview"
  | "last_sender_id"
  | "last_sender_name"
  | "last_model_id"
  | "activity_seq"
  | "activity_by"
  | "is_public"
>;

/** What all readers' lists show of the chat alike. */
export function readSharedRow(sql: SqlStorage): Omit<ChatRow, keyof ChatAccess> {
  const chat = sql
    .exec<SharedColumns>(
      `SELECT id, owner_id, title, created_at, last_at, last_preview, last_sender_id, last_sender_name, last_model_id, activity_seq, activity_by, is_public,
         ${TURN_STATE} AS turn_state, EXISTS (SELECT 1 FROM mails) AS has_mails FROM chat`,
    )
    .one();
  return {
    id: chat.id,
    user_id: chat.owner_id,
    title: chat.title,
    public: chat.is_public === 1,
    lastMessageAt: chat.last_at,
    lastMessagePreview: chat.last_preview,
    lastSender: chat.last_sender_id === null ? null : { id: chat.last_sender_id, name: chat.last_sender_name ?? "" },
    lastMessageModel: chat.last_model_id,
    created_at: chat.created_at,
    isStreaming: chat.turn_state === "running",
    isWaiting: chat.turn_state === "waiting",
    hasMails: chat.has_mails === 1,
    activity: { seq: chat.activity_seq, by: chat.activity_by },
  };
}

/** The chat opened by a reader. */
export function toDetails(sql: SqlStorage, standing: ChatAccess): RoomDetails {
  const chat = readChat(sql);
  const row = { ...readSharedRow(sql), ...standing };
  const teamId = teamOf(sql);
  const isOwn = teamId !== null && (row.permissionLevel === "owner" || row.teams.includes(teamId));
  return {
    row,
    ...toSettings(chat.settings),
    cost: fromMicros(chat.cost_micros),
    mail_count: refuse(standing.permissionLevel, "mail") === null ? countMails(sql) : 0,
    forked_from: originOf(chat),
    team_id: isOwn ? teamId : null,
  };
}

/** Where a fork began; null for a chat that is none. */
export function originOf({ forked_from: origin }: Pick<Stored, "forked_from">): ForkOrigin | null {
  return origin === null ? null : ForkOrigin.parse(JSON.parse(origin));
}

/** What the chat is set to. */
export function readSettings(sql: SqlStorage): ChatSettings {
  return toSettings(sql.exec<{ settings: string | null }>("SELECT settings FROM chat").toArray()[0]?.settings);
}

/** What is not stored, as it came to be a setting later, is as it is before anything was chosen. */
function toSettings(stored: string | null | undefined): ChatSettings {
  return stored ? applySettings(NO_SETTINGS, ChatSettingsChange.parse(JSON.parse(stored))) : NO_SETTINGS;
}

type LastMessage = { content: string; at: string } & (
  | { sender: { userId: string; displayName: string } }
  | { sender: null; modelId: string | null }
);

/** How the newest message stands in the list; `sender` is null for a model's. */
export function lastMessage({ content, at, ...by }: LastMessage): ChatChanges {
  return {
    last_at: at,
    last_preview: previewOf(content),
    last_sender_id: by.sender?.userId ?? null,
    last_sender_name: by.sender?.displayName ?? null,
    last_model_id: by.sender === null ? by.modelId : null,
  };
}

/** Counts what was added to the chat: a person's message, or with null a reply that ended or waits for a word. */
export function addActivity(sql: SqlStorage, by: string | null): ChatChanges {
  const { seq } = sql.exec<{ seq: number }>("SELECT activity_seq AS seq FROM chat").one();
  return { activity_seq: seq + 1, activity_by: by };
}

/** Gives the chat a title; one that a person chose is never replaced by a made one. Returns whether it changed. */
export function setTitle(sql: SqlStorage, title: string, source: "user" | "model" | "provisional"): boolean {
  const chosen = source === "user" ? "" : "AND title_source <> 'user'";
  return sql.exec(`UPDATE chat SET title = ?, title_source = ? WHERE true ${chosen} RETURNING id`, title, source).toArray().length > 0;
}
