import { Compaction } from "#shared/entities/compaction.ts";
import type { StoredCompaction } from "#worker/conversation/room/chat-copy.ts";

type Row = { question_id: string; last_id: string; status: string; messages: number; summary: string | null };

/** Stores how the path before a question was compacted, in place of an earlier try. */
export function storeCompaction(sql: SqlStorage, { questionId, lastId, status, messages, summary }: StoredCompaction): void {
  sql.exec(
    `INSERT INTO compactions (question_id, last_id, status, messages, summary) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (question_id) DO UPDATE SET last_id = excluded.last_id, status = excluded.status, messages = excluded.messages, summary = excluded.summary`,
    questionId,
    lastId,
    status,
    messages,
    summary,
  );
}

/** The compactions that were made for these questions. */
export function compactionsAt(sql: SqlStorage, questionIds: readonly string[]): Map<string, StoredCompaction> {
  const rows = sql.exec<Row>(
    "SELECT compactions.* FROM json_each(?) AS asked CROSS JOIN compactions ON compactions.question_id = asked.value",
    JSON.stringify(questionIds),
  );
  return new Map(rows.toArray().map((row) => [row.question_id, toStored(row)]));
}

/** Where this path was cut before, by the last message before each cut: with the summary that stands for it, or without where none could be made. */
export function compactionsOnPath(sql: SqlStorage, pathIds: readonly string[]): Map<string, StoredCompaction> {
  const rows = sql.exec<Row>(
    "SELECT * FROM compactions WHERE status IN ('done', 'failed') AND last_id IN (SELECT value FROM json_each(?)) ORDER BY status DESC",
    JSON.stringify(pathIds),
  );
  return new Map(rows.toArray().map((row) => [row.last_id, toStored(row)]));
}

/** A stored compaction as readers get it. */
export function toCompaction({ status, messages, summary }: StoredCompaction): Compaction {
  return { status, messages, summary };
}

function toStored({ question_id: questionId, last_id: lastId, status, messages, summary }: Row): StoredCompaction {
  return { questionId, lastId, ...Compaction.parse({ status, messages, summary }) };
}
