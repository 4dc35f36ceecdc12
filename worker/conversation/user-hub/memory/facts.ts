/** The rows of one user's memory. `seq` is a fact's place, which it keeps; `ended` says why no model gets it any more. */
import { MEMORIES_MAX } from "#shared/limits.ts";
import type { SentFact } from "./section.ts";

/** `file` is an import from an exported archive, which nobody has read; `import` a list that its person pasted. */
export type FactOrigin = "chat" | "user" | "import" | "file";

export type Fact = {
  id: string;
  seq: number;
  text: string;
  origin: FactOrigin;
  chat_id: string | null;
  message_id: string | null;
  created_at: string;
  /** When it was last taken up into what is sent, in ISO 8601. */
  since: string;
  /** When it was last sent before `since`. */
  used_at: string | null;
  ended: "forgotten" | "replaced" | null;
  ended_at: string | null;
  replaced_by: string | null;
  /** True for what others may have written: an archive's, a program's, or a model's that had read untrusted text. */
  isUntrusted: boolean;
};

export type NewFact = Pick<Fact, "id" | "text" | "origin" | "chat_id" | "message_id" | "isUntrusted">;

type FactRow = Omit<Fact, "origin" | "ended" | "isUntrusted"> & { origin: string; ended: string | null; is_untrusted: number };

/** The facts that hold, in their order. */
export function activeFacts(sql: SqlStorage): Fact[] {
  return sql.exec<FactRow>("SELECT * FROM memories WHERE ended IS NULL ORDER BY seq").toArray().map(toFact);
}

/** What of them is sent with each message is read apart: a cold hub reads no more than that. */
export function sendableFacts(sql: SqlStorage): SentFact[] {
  return sql
    .exec<Omit<SentFact, "isUntrusted"> & { is_untrusted: number }>(
      "SELECT id, seq, text, is_untrusted FROM memories WHERE ended IS NULL ORDER BY seq",
    )
    .toArray()
    .map(({ is_untrusted: isUntrusted, ...fact }) => ({ ...fact, isUntrusted: isUntrusted === 1 }));
}

/** A fact, whatever became of it. */
export function findFact(sql: SqlStorage, id: string): Fact | null {
  const row = sql.exec<FactRow>("SELECT * FROM memories WHERE id = ?", id).toArray()[0];
  return row ? toFact(row) : null;
}

/** The fact that holds and that a model calls so. */
export function findByHandle(sql: SqlStorage, handle: string): Fact | null {
  const seq = Number(/^m?(\d{1,9})$/u.exec(handle.trim())?.[1] ?? Number.NaN);
  if (Number.isNaN(seq)) return null;
  const row = sql.exec<FactRow>("SELECT * FROM memories WHERE seq = ? AND ended IS NULL", seq).toArray()[0];
  return row ? toFact(row) : null;
}

/** These facts, ended ones too. */
export function factsOf(sql: SqlStorage, ids: readonly string[]): Fact[] {
  return sql
    .exec<FactRow>("SELECT * FROM memories WHERE id IN (SELECT value FROM json_each(?)) ORDER BY seq", JSON.stringify(ids))
    .toArray()
    .map(toFact);
}

/** Adds a fact at the end; null where there is no room for one more. */
export function insertFact(sql: SqlStorage, fact: NewFact, at: string): Fact | null {
  const { held, last } = sql
    .exec<{ held: number; last: number }>(
      "SELECT COUNT(CASE WHEN ended IS NULL THEN 1 END) AS held, COALESCE(MAX(seq), 0) AS last FROM memories",
    )
    .one();
  if (held >= MEMORIES_MAX) return null;
  const { id, text, origin, chat_id: chatId, message_id: messageId, isUntrusted } = fact;
  sql.exec(
    "INSERT INTO memories (id, seq, text, origin, chat_id, message_id, created_at, since, is_untrusted) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?7, ?8)",
    id,
    last + 1,
    text,
    origin,
    chatId,
    messageId,
    at,
    Number(isUntrusted),
  );
  return findFact(sql, id);
}

/** Changes what a fact says; what it said is kept. */
export function rewriteFact(sql: SqlStorage, before: Fact, text: string, at: string): void {
  sql.exec("INSERT OR REPLACE INTO memory_versions (memory_id, at, text) VALUES (?, ?, ?)", before.id, at, before.text);
  sql.exec("UPDATE memories SET text = ? WHERE id = ?", text, before.id);
  sql.exec("DELETE FROM memory_vectors WHERE memory_id = ?", before.id);
}

/** Makes a fact its person's own, as they wrote it or have read and kept it. */
export function trustFact(sql: SqlStorage, id: string): void {
  sql.exec("UPDATE memories SET is_untrusted = 0 WHERE id = ? AND is_untrusted = 1", id);
}

type Ending = { ended: "forgotten" | "replaced"; by?: string | undefined; at: string; usedAt: string | null };

/** Takes a fact out of what holds. */
export function endFact(sql: SqlStorage, id: string, { ended, by, at, usedAt }: Ending): void {
  sql.exec("UPDATE memories SET ended = ?, ended_at = ?, replaced_by = ?, used_at = ? WHERE id = ?", ended, at, by ?? null, usedAt, id);
}

/** Lets a fact hold again. */
export function reviveFact(sql: SqlStorage, id: string, at: string): void {
  sql.exec("UPDATE memories SET ended = NULL, ended_at = NULL, replaced_by = NULL, since = ? WHERE id = ?", at, id);
}

/** The facts whose place this one took. */
export function replacedBy(sql: SqlStorage, id: string): Fact[] {
  return sql.exec<FactRow>("SELECT * FROM memories WHERE replaced_by = ? ORDER BY ended_at DESC", id).toArray().map(toFact);
}

/** What a fact said before its changes, newest first. */
export function earlierTexts(sql: SqlStorage, id: string): { at: string; text: string }[] {
  return sql.exec<{ at: string; text: string }>("SELECT at, text FROM memory_versions WHERE memory_id = ? ORDER BY at DESC", id).toArray();
}

/** The ids of facts that have said something else, or took another's place. */
export function withHistory(sql: SqlStorage): Set<string> {
  const rows = sql.exec<{ id: string }>(
    "SELECT memory_id AS id FROM memory_versions UNION SELECT replaced_by FROM memories WHERE replaced_by IS NOT NULL",
  );
  return new Set(rows.toArray().map(({ id }) => id));
}

/** Erases what was forgotten until then; answers when to erase the next one, null where none waits. */
export function eraseForgotten(sql: SqlStorage, until: string): string | null {
  const erased = sql
    .exec<{ id: string }>(
      // What a forgotten fact had replaced goes with it, and what that had: nothing shows it any more.
      `WITH RECURSIVE gone(id) AS (
         SELECT id FROM memories WHERE ended = 'forgotten' AND ended_at <= ?
         UNION
         SELECT m.id FROM memories m JOIN gone ON m.replaced_by = gone.id WHERE m.ended = 'replaced'
       )
       DELETE FROM memories WHERE id IN (SELECT id FROM gone) RETURNING id`,
      until,
    )
    .toArray()
    .map(({ id }) => id);
  if (erased.length > 0) {
    sql.exec("DELETE FROM memory_versions WHERE memory_id IN (SELECT value FROM json_each(?))", JSON.stringify(erased));
    sql.exec("DELETE FROM memory_vectors WHERE memory_id IN (SELECT value FROM json_each(?))", JSON.stringify(erased));
  }
  return sql.exec<{ at: string | null }>("SELECT MIN(ended_at) AS at FROM memories WHERE ended = 'forgotten'").one().at;
}

/** Erases everything at once. */
export function eraseAll(sql: SqlStorage): void {
  sql.exec("DELETE FROM memories");
  sql.exec("DELETE FROM memory_versions");
  sql.exec("DELETE FROM memory_vectors");
  sql.exec("DELETE FROM memory_imports");
}

function toFact({ is_untrusted: isUntrusted, ...row }: FactRow): Fact {
  const ended = row.ended === null ? null : row.ended === "replaced" ? "replaced" : "forgotten";
  return { ...row, origin: originOf(row.origin), ended, isUntrusted: isUntrusted === 1 };
}

function originOf(origin: string): FactOrigin {
  return origin === "chat" || origin === "import" || origin === "file" ? origin : "user";
}
