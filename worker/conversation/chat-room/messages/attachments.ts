import { AttachmentKind } from "#shared/entities/attachment.ts";
import { IMAGE_BYTES, PROMPT_FILES_BYTES } from "#shared/limits.ts";
import type { Outcome } from "#worker/platform/errors/app-error.ts";
import type { RoomFile } from "#worker/library/attachments/room-file.ts";
import type { ChatFiles } from "#worker/conversation/tools/tool.ts";
import { ownerOf } from "../chat.ts";

type Row = {
  id: string;
  uploader_id: string;
  object_id: string;
  name: string;
  type: string;
  size: number;
  kind: string;
  characters: number;
  is_complete: number;
  unread: string | null;
  is_used: number;
  /** 1 for what a tool brought of its person's own, until they send it: theirs alone, as what the call says. */
  is_own: number;
  pages: number | null;
};

/** The file of this id. */
export function findFile(sql: SqlStorage, id: string): RoomFile | null {
  const row = sql.exec<Row>("SELECT * FROM attachments WHERE id = ?", id).toArray()[0];
  return row ? toFile(row) : null;
}

/** The file of this id as this person may have it. */
export function readableFile(sql: SqlStorage, { id, userId }: { id: string; userId: string }): RoomFile | null {
  const row = sql.exec<Row>(`SELECT * FROM attachments WHERE id = ?1 AND ${IS_FOR}`, id, userId).toArray()[0];
  return row ? toFile(row) : null;
}

/** True of the files of what waits its turn: who reads the chat sees them there. */
const IS_QUEUED = "id IN (SELECT file.value FROM queue, json_each(queue.attachments) AS file WHERE queue.is_waiting = 1)";

const IS_FOR = `((is_own = 0 AND (is_used = 1 OR ${IS_QUEUED})) OR uploader_id = ?2)`;

/** The files of the chat that belong to what was said, and those of this person that wait to be sent. */
export function readableFiles(sql: SqlStorage, userId: string): RoomFile[] {
  return sql
    .exec<Row>("SELECT * FROM attachments WHERE (is_used = 1 AND is_own = 0) OR uploader_id = ? ORDER BY id", userId)
    .toArray()
    .map(toFile);
}

/** Adds an uploaded file; where one of this id was added meanwhile, that one stands. */
export function addFile(sql: SqlStorage, uploaderId: string, file: RoomFile): RoomFile {
  sql.exec(
    `INSERT INTO attachments (id, uploader_id, object_id, name, type, size, kind, characters, is_complete, unread, pages)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING`,
    file.id,
    uploaderId,
    file.objectId,
    file.name,
    file.type,
    file.size,
    file.kind,
    file.characters,
    Number(file.isComplete),
    file.unread,
    file.pages ?? null,
  );
  return findFile(sql, file.id) ?? file;
}

/** Keeps what was read of a file since it was added. */
export function updateFile(sql: SqlStorage, { id, characters, isComplete, unread, pages = null }: RoomFile): void {
  const statement = "UPDATE attachments SET characters = ?, is_complete = ?, unread = ?, pages = ? WHERE id = ?";
  sql.exec(statement, characters, Number(isComplete), unread, pages, id);
}

/**
 * The files that a message is to carry, in its order. Refuses what is gone, another's file that was never sent here,
 * and pictures for a model without vision or larger than models take.
 */
export function filesToSend(
  sql: SqlStorage,
  { ids, userId, hasVision }: { ids: readonly string[]; userId: string; hasVision: boolean },
): Outcome<RoomFile[]> {
  const rows = ids.map((id) => sql.exec<Row>("SELECT * FROM attachments WHERE id = ?", id).toArray()[0]);
  const files = rows.flatMap((row) =>
    row && ((row.is_used === 1 && row.is_own === 0) || row.uploader_id === userId) ? [toFile(row)] : [],
  );
  if (files.length < ids.length) return { ok: false, code: "ATTACHMENT_GONE" };
  const pictures = files.filter(({ kind }) => kind === "image");
  if (pictures.length > 0 && !hasVision) return { ok: false, code: "MODEL_WITHOUT_VISION" };
  const bytes = pictures.reduce((sum, { size }) => sum + size, 0);
  const isTooLarge = bytes > PROMPT_FILES_BYTES || pictures.some(({ size }) => size > IMAGE_BYTES);
  return isTooLarge ? { ok: false, code: "PICTURE_TOO_LARGE" } : { ok: true, value: files };
}

/** Notes that these files are part of a message and so stay as long as the chat does. */
export function markUsed(sql: SqlStorage, files: readonly RoomFile[]): void {
  if (files.length === 0) return;
  sql.exec(
    "UPDATE attachments SET is_used = 1, is_own = 0 WHERE (is_used = 0 OR is_own = 1) AND id IN (SELECT value FROM json_each(?))",
    JSON.stringify(files.map(({ id }) => id)),
  );
}

/** Forgets those of these files that no message carries, nor one that waits its turn; answers which may be deleted, unknown ones too. */
export function dropUnused(sql: SqlStorage, ids: readonly string[]): string[] {
  const list = JSON.stringify(ids);
  sql.exec(`DELETE FROM attachments WHERE is_used = 0 AND id IN (SELECT value FROM json_each(?)) AND NOT ${IS_QUEUED}`, list);
  const inUse = new Set(
    sql
      .exec<{ id: string }>("SELECT id FROM attachments WHERE id IN (SELECT value FROM json_each(?))", list)
      .toArray()
      .map(({ id }) => id),
  );
  return ids.filter((id) => !inUse.has(id));
}

/** Files that tools brought of this person's own and they never sent: theirs alone, so nobody else misses them. */
export function ownFiles(sql: SqlStorage, userId: string): RoomFile[] {
  return sql.exec<Row>("SELECT * FROM attachments WHERE uploader_id = ? AND is_own = 1", userId).toArray().map(toFile);
}

/** Forgets an upload of this person's own; false where a message carries it. */
export function withdrawFile(sql: SqlStorage, userId: string, id: string): Outcome<boolean> {
  const isAnothers = sql.exec("SELECT 1 FROM attachments WHERE id = ? AND uploader_id <> ?", id, userId).toArray().length > 0;
  return isAnothers ? { ok: false, code: "NOT_FOUND" } : { ok: true, value: dropUnused(sql, [id]).length > 0 };
}

/** True for a chat that was made for an upload and nothing ever became of. */
export function isAbandonedUpload(sql: SqlStorage): boolean {
  return (
    sql
      .exec(
        `SELECT 1 FROM chat WHERE version = 0
           AND NOT EXISTS (SELECT 1 FROM messages) AND NOT EXISTS (SELECT 1 FROM attachments) AND NOT EXISTS (SELECT 1 FROM mails)`,
      )
      .toArray().length > 0
  );
}

function toFile(row: Row): RoomFile {
  return {
    id: row.id,
    objectId: row.object_id,
    name: row.name,
    type: row.type,
    size: row.size,
    kind: AttachmentKind.parse(row.kind),
    characters: row.characters,
    isComplete: row.is_complete === 1,
    unread: row.unread,
    pages: row.pages,
  };
}

/** The chat's files for its tools: what they add is of their person's own, and stays as long as the chat does. */
export function openFiles(sql: SqlStorage, changeFiles: <T>(change: () => T) => Promise<T>): ChatFiles {
  return {
    ownerId: () => ownerOf(sql),
    find: (id) => findFile(sql, id),
    add: (userId, file) =>
      changeFiles(() => {
        addFile(sql, userId, file);
        sql.exec("UPDATE attachments SET is_used = 1, is_own = 1 WHERE id = ? AND is_used = 0", file.id);
      }),
  };
}
