import { pastePart } from "./copy-chat.ts";
import type { CopyPart, CopyPlace } from "#worker/conversation/room/chat-copy.ts";

/** A copy that got no part for so many milliseconds is lost, and another may come in its place. */
const LOST_MS = 60_000;

type Staged = { copy_id: string; parts: number; at: number };

/**
 * Stores a part of a copy ahead of its chat, whose row comes with the last: nobody reaches anything here before. Only a room without a
 * chat may take it, in a transaction. False while another copy is on its way, and where the parts before it are not here.
 */
export function stagePart(
  sql: SqlStorage,
  { copyId, before }: CopyPlace,
  { uploaderId, part, now }: { uploaderId: string; part: CopyPart; now: number },
): boolean {
  if (before === 0) {
    const other = readStaged(sql);
    if (other && other.at > now - LOST_MS) return false;
    dropStaged(sql);
    sql.exec("CREATE TABLE staged_copy (copy_id TEXT NOT NULL, parts INTEGER NOT NULL, at INTEGER NOT NULL)");
    sql.exec("INSERT INTO staged_copy (copy_id, parts, at) VALUES (?, 0, ?)", copyId, now);
  } else if (!isStaged(sql, { copyId, before })) return false;
  pastePart(sql, uploaderId, part);
  sql.exec("UPDATE staged_copy SET parts = ?, at = ?", before + 1, now);
  return true;
}

/** Ends the staging of a copy whose last part comes now; false where not all parts before it are here. */
export function endStaging(sql: SqlStorage, place: CopyPlace): boolean {
  if (!isStaged(sql, place)) return false;
  sql.exec("DROP TABLE staged_copy");
  return true;
}

/** The copy that is on its way here, or null. */
export function stagedCopyId(sql: SqlStorage): string | null {
  return readStaged(sql)?.copy_id ?? null;
}

/** Forgets what is here of a copy, as its room gets another chat; what it sends later is refused. */
export function dropStaged(sql: SqlStorage): void {
  if (!readStaged(sql)) return;
  for (const table of ["messages", "attachments", "tool_rounds", "tool_calls", "compactions"]) sql.exec(`DELETE FROM ${table}`);
  sql.exec("DROP TABLE staged_copy");
}

function isStaged(sql: SqlStorage, { copyId, before }: CopyPlace): boolean {
  const staged = readStaged(sql);
  return staged?.copy_id === copyId && staged.parts === before;
}

/** The first part has messages: without any, the catalogue of tables need not be read. */
function readStaged(sql: SqlStorage): Staged | null {
  if (sql.exec("SELECT 1 FROM messages LIMIT 1").toArray().length === 0) return null;
  if (sql.exec("SELECT 1 FROM sqlite_master WHERE name = 'staged_copy'").toArray().length === 0) return null;
  return sql.exec<Staged>("SELECT copy_id, parts, at FROM staged_copy").one();
}
