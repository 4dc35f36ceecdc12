/** The files of a person's Drive as their index knows them. */
import { LEASE_MS } from "./lanes.ts";
import { findRunInPhase } from "./run.ts";
import type { ClaimedFile, ListedFile, ListedPage, ListedShortcut, Settled } from "./rpc.ts";

type FileRow = {
  id: string;
  name: string;
  mime_type: string;
  version: string;
  link: string | null;
  resource_key: string | null;
  state: "waiting" | "deleted" | "indexed" | "skipped" | "failed";
  reason: string | null;
  indexed_version: string | null;
  is_target: number;
  tries: number;
  trouble: number;
  lane: number | null;
};

function findRow(sql: SqlStorage, id: string): FileRow | undefined {
  return sql.exec<FileRow>("SELECT * FROM files WHERE id = ?", id).toArray()[0];
}

/** Keeps a page of a listing; false where another one was kept since it was asked for. */
export function storeListedPage(sql: SqlStorage, run: string, page: ListedPage): boolean {
  const current = findRunInPhase(sql, run, "listing");
  if (!current || current.cursor !== page.from) return false;
  const { pass } = current;
  for (const file of page.files) keepFile(sql, file, pass);
  for (const shortcut of page.shortcuts) keepShortcut(sql, shortcut, pass);
  for (const id of page.deletedIds) forgetSoon(sql, id);
  if (page.next !== null) {
    sql.exec("UPDATE run SET cursor = ?", page.next);
    return true;
  }
  if (current.listing === "files") {
    // What the whole listing did not name no longer exists.
    sql.exec("UPDATE files SET state = 'deleted', tries = 0, lease_until = 0 WHERE seen <> ?", pass);
    sql.exec("DELETE FROM shortcuts WHERE seen <> ?", pass);
  }
  sql.exec("UPDATE run SET phase = 'reading', cursor = NULL, changes_from = COALESCE(?, changes_from)", page.changesFrom);
  return true;
}

function keepFile(sql: SqlStorage, { id, name, mimeType, version, link, resourceKey, skip }: ListedFile, pass: string): void {
  const before = findRow(sql, id);
  const isIndexed = before?.indexed_version != null;
  const isSame = before?.version === version && before.state !== "deleted";
  const state = skip !== null ? (isIndexed ? "waiting" : "skipped") : isSame ? before.state : "waiting";
  const reason = skip ?? (state === before?.state ? before.reason : null);
  sql.exec(
    `INSERT INTO files (id, name, mime_type, version, link, resource_key, state, reason, seen) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
     ON CONFLICT (id) DO UPDATE SET name = ?2, mime_type = ?3, version = ?4, link = ?5, resource_key = ?6, state = ?7, reason = ?8, seen = ?9,
       is_target = 0, tries = CASE WHEN version = ?4 THEN tries ELSE 0 END, trouble = CASE WHEN version = ?4 THEN trouble ELSE 0 END,
       lease_until = CASE WHEN version = ?4 THEN lease_until ELSE 0 END`,
    id,
    name,
    mimeType,
    version,
    link,
    resourceKey,
    state,
    reason,
    pass,
  );
}

function keepShortcut(sql: SqlStorage, { id, target }: ListedShortcut, pass: string): void {
  sql.exec(
    "INSERT INTO shortcuts (id, target, seen) VALUES (?1, ?2, ?3) ON CONFLICT (id) DO UPDATE SET target = ?2, seen = ?3",
    id,
    target.id,
    pass,
  );
  // The listing may name the file itself, before or after: then that holds.
  sql.exec(
    `INSERT INTO files (id, name, mime_type, version, resource_key, state, seen, is_target) VALUES (?1, ?2, ?3, '', ?4, 'waiting', ?5, 1)
     ON CONFLICT (id) DO UPDATE SET seen = ?5, state = CASE WHEN state = 'deleted' THEN 'waiting' ELSE state END`,
    target.id,
    target.name,
    target.mimeType,
    target.resourceKey,
    pass,
  );
}

/** A file that is gone, or a shortcut: what only that led to goes with it. */
function forgetSoon(sql: SqlStorage, id: string): void {
  sql.exec("UPDATE files SET state = 'deleted', tries = 0, lease_until = 0 WHERE id = ?", id);
  const shortcut = sql.exec<{ target: string }>("DELETE FROM shortcuts WHERE id = ? RETURNING target", id).toArray()[0];
  if (!shortcut) return;
  sql.exec(
    `UPDATE files SET state = 'deleted', tries = 0, lease_until = 0
     WHERE id = ?1 AND is_target = 1 AND NOT EXISTS (SELECT 1 FROM shortcuts WHERE target = ?1)`,
    shortcut.target,
  );
}

/** Takes files for a reader, those that Drive failed to give last; what its lane took before is its own, as that reader has ended. */
export function claimFiles(sql: SqlStorage, { lane, limit }: { lane: number; limit: number }): ClaimedFile[] {
  const now = Date.now();
  const rows = sql
    .exec<FileRow>(
      `SELECT * FROM files WHERE state IN ('waiting', 'deleted') AND (lease_until < ?1 OR lane = ?2)
       ORDER BY trouble, id LIMIT ?3`,
      now,
      lane,
      limit,
    )
    .toArray();
  sql.exec(
    "UPDATE files SET lane = ?, lease_until = ?, tries = tries + 1 WHERE id IN (SELECT value FROM json_each(?))",
    lane,
    now + LEASE_MS,
    JSON.stringify(rows.map(({ id }) => id)),
  );
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    mimeType: row.mime_type,
    version: row.version,
    link: row.link,
    resourceKey: row.resource_key,
    skip: row.reason,
    isDeleted: row.state === "deleted",
    indexedVersion: row.indexed_version,
    isTarget: row.is_target === 1,
    tries: row.tries,
    trouble: row.trouble,
  }));
}

/** Notes how reading a file ended in its lane. One that changed meanwhile waits again. */
export function settleFile(sql: SqlStorage, lane: number, settled: Settled): void {
  const { id, version, file } = settled;
  const row = findRow(sql, id);
  // Its lease was over, and another lane has it.
  if (row?.lane !== lane) return;
  if (settled.as === "later" || settled.as === "trouble") {
    sql.exec(
      "UPDATE files SET lease_until = 0, lane = NULL, tries = MAX(tries - 1, 0), trouble = trouble + ? WHERE id = ?",
      Number(settled.as === "trouble"),
      id,
    );
    return;
  }
  if (settled.as === "forgotten") {
    // It may have come back meanwhile.
    if (row.state === "deleted") sql.exec("DELETE FROM files WHERE id = ?", id);
    else sql.exec("UPDATE files SET indexed_version = NULL, lease_until = 0, lane = NULL WHERE id = ?", id);
    return;
  }
  const indexedVersion = settled.as === "indexed" ? version : null;
  const isOutdated = row.state === "deleted" || (row.is_target === 0 && row.version !== version);
  if (isOutdated) {
    sql.exec("UPDATE files SET indexed_version = ?, lease_until = 0, lane = NULL, tries = 0, trouble = 0 WHERE id = ?", indexedVersion, id);
    return;
  }
  const known = file ?? { name: row.name, mimeType: row.mime_type, link: row.link };
  sql.exec(
    "UPDATE files SET state = ?, reason = ?, indexed_version = ?, version = ?, name = ?, mime_type = ?, link = ?, tries = 0, trouble = 0, lease_until = 0, lane = NULL WHERE id = ?",
    settled.as,
    "reason" in settled ? settled.reason : null,
    indexedVersion,
    version,
    known.name,
    known.mimeType,
    known.link,
    id,
  );
}

/** An attempt that was outdone by another one is not held against its file. */
export function uncountAttempt(sql: SqlStorage, id: string): void {
  sql.exec("UPDATE files SET tries = MAX(tries - 1, 0) WHERE id = ?", id);
}

/** True where no file waits for a reader, nor is being read. */
export function isAllRead(sql: SqlStorage): boolean {
  return sql.exec("SELECT 1 FROM files WHERE state IN ('waiting', 'deleted') LIMIT 1").toArray().length === 0;
}

/** Those of these files whose passages are there for good, or will be dealt with. */
export function ownAmong(sql: SqlStorage, ids: readonly string[]): string[] {
  return idsOf(sql, "(indexed_version IS NOT NULL OR state IN ('waiting', 'deleted'))", ids);
}

/** Of these files those that can be found in. */
export function indexedAmong(sql: SqlStorage, ids: readonly string[]): string[] {
  return idsOf(sql, "indexed_version IS NOT NULL AND state <> 'deleted'", ids);
}

function idsOf(sql: SqlStorage, where: string, ids: readonly string[]): string[] {
  return sql
    .exec<{ id: string }>(`SELECT id FROM files WHERE id IN (SELECT value FROM json_each(?)) AND ${where}`, JSON.stringify(ids))
    .toArray()
    .map(({ id }) => id);
}

/** A file that can be found in. */
export function findIndexed(sql: SqlStorage, id: string): { name: string; link: string | null } | null {
  return (
    sql
      .exec<{ name: string; link: string | null }>(
        "SELECT name, link FROM files WHERE id = ? AND indexed_version IS NOT NULL AND state <> 'deleted'",
        id,
      )
      .toArray()[0] ?? null
  );
}
