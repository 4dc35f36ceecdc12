import { wordsOf } from "#worker/platform/db/search-tokens.ts";
import type { Passage } from "#worker/library/passages/passage.ts";
import type { DocumentName, FoundPassage, IndexedDocument, Stretch, Writing, Written } from "./rpc.ts";

/** Passages of one index: searching more takes longer than a reader waits. */
export const PASSAGES_MAX = 50_000;

type DocumentRow = {
  number: number;
  id: string;
  name: string;
  pages: number | null;
  is_complete: number;
  characters: number;
  passages: number;
};

export type PassageRow = Passage & { id: number; document_id: string; document_name: string };

/** What a passage and its document are read by; whole documents alone. */
const PASSAGE = `SELECT p.id, p.start, p.text, p.page, p.sheet, p.row, p.last_row, p.heading, p.header, d.id AS document_id, d.name AS document_name
  FROM passages p JOIN documents d ON d.number = p.document`;

/** Begins to write a document; an earlier attempt that was not finished is given up. */
export function beginDocument(sql: SqlStorage, { id, name }: DocumentName): string {
  const writing = crypto.randomUUID();
  dropDocuments(sql, "document_id = ? AND id IS NULL", id);
  // A document that is written again keeps its place among the others, so prompts that hold all of them stay the same.
  sql.exec(
    `INSERT INTO documents (document_id, writing, name, place)
     VALUES (?1, ?2, ?3, COALESCE((SELECT place FROM documents WHERE id = ?1), (SELECT COALESCE(MAX(place), 0) + 1 FROM documents)))`,
    id,
    writing,
    name,
  );
  return writing;
}

/** Adds passages to a document that is being written; false where that attempt is none any more. */
export function addPassages(sql: SqlStorage, { documentId, writing }: Writing, passages: readonly Passage[]): boolean {
  const draft = sql
    .exec<{ number: number; name: string }>(
      "SELECT number, name FROM documents WHERE document_id = ? AND writing = ? AND id IS NULL",
      documentId,
      writing,
    )
    .toArray()[0];
  if (!draft) return false;
  const storedCount = sql.exec<{ n: number }>("SELECT COALESCE(SUM(passages), 0) AS n FROM documents").one().n;
  const taken = passages.slice(0, Math.max(0, PASSAGES_MAX - storedCount));
  for (const { start, text, page, sheet, row, last_row: lastRow, heading, header } of taken) {
    const { id } = sql
      .exec<{ id: number }>(
        `INSERT INTO passages (document, start, text, page, sheet, row, last_row, heading, header)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id`,
        draft.number,
        start,
        text,
        page,
        sheet,
        row,
        lastRow,
        heading,
        header,
      )
      .one();
    const above = [heading, sheet, header].filter((part) => part !== null).join(" ");
    const words = [text, above, draft.name].map((part) => wordsOf(part).join(" "));
    sql.exec("INSERT INTO passage_words (rowid, text, heading, name) VALUES (?, ?, ?, ?)", id, ...words);
  }
  sql.exec(
    "UPDATE documents SET passages = passages + ?, characters = characters + ?, is_complete = MIN(is_complete, ?) WHERE number = ?",
    taken.length,
    taken.reduce((sum, { text }) => sum + text.length, 0),
    Number(taken.length === passages.length),
    draft.number,
  );
  return true;
}

/** Puts what was written in the place of what the document held; null where the attempt is none any more. */
export function finishDocument(sql: SqlStorage, { documentId, writing }: Writing, { pages, isComplete }: Written): IndexedDocument | null {
  if (!isDraft(sql, { documentId, writing })) return null;
  dropDocuments(sql, "id = ?", documentId);
  // Its passages have no embeddings yet.
  sql.exec("UPDATE settings SET embedded_by = NULL");
  sql.exec(
    "UPDATE documents SET id = document_id, pages = ?, is_complete = MIN(is_complete, ?) WHERE document_id = ? AND writing = ?",
    pages,
    Number(isComplete),
    documentId,
    writing,
  );
  return findDocument(sql, documentId);
}

export function abandonDocument(sql: SqlStorage, { documentId, writing }: Writing): void {
  dropDocuments(sql, "document_id = ? AND writing = ? AND id IS NULL", documentId, writing);
}

/** Forgets a document, and what is being written of it; where an attempt is named, false as soon as that is none any more. */
export function removeDocument(sql: SqlStorage, documentId: string, writing: string | null): boolean {
  if (writing !== null && !isDraft(sql, { documentId, writing })) return false;
  dropDocuments(sql, "document_id = ?", documentId);
  return true;
}

function isDraft(sql: SqlStorage, { documentId, writing }: Writing): boolean {
  const found = sql.exec("SELECT 1 FROM documents WHERE document_id = ? AND writing = ? AND id IS NULL", documentId, writing);
  return found.toArray().length > 0;
}

/** Names a document otherwise; its words are found by the old name until it is written again. */
export function renameDocument(sql: SqlStorage, { id, name }: DocumentName): void {
  sql.exec("UPDATE documents SET name = ? WHERE document_id = ?", name, id);
}

function dropDocuments(sql: SqlStorage, where: string, ...values: string[]): void {
  for (const { number } of sql.exec<{ number: number }>(`SELECT number FROM documents WHERE ${where}`, ...values).toArray()) {
    const own = "SELECT id FROM passages WHERE document = ?";
    sql.exec(`DELETE FROM passage_words WHERE rowid IN (${own})`, number);
    sql.exec(`DELETE FROM vectors WHERE passage IN (${own})`, number);
    sql.exec("DELETE FROM passages WHERE document = ?", number);
    sql.exec("DELETE FROM documents WHERE number = ?", number);
  }
}

/** The whole documents, in their order. */
export function listDocuments(sql: SqlStorage): IndexedDocument[] {
  return sql.exec<DocumentRow>("SELECT * FROM documents WHERE id IS NOT NULL ORDER BY place, number").toArray().map(toDocument);
}

function findDocument(sql: SqlStorage, id: string): IndexedDocument | null {
  const row = sql.exec<DocumentRow>("SELECT * FROM documents WHERE id = ?", id).toArray()[0];
  return row ? toDocument(row) : null;
}

function toDocument({ id, name, pages, is_complete: isComplete, characters, passages }: DocumentRow): IndexedDocument {
  return { id, name, pages, isComplete: isComplete === 1, characters, passages };
}

/** Passages by their ids, in the given order. */
export function passagesById(sql: SqlStorage, ids: readonly number[]): FoundPassage[] {
  const rows = sql
    .exec<PassageRow>(`${PASSAGE} WHERE p.id IN (SELECT value FROM json_each(?)) AND d.id IS NOT NULL`, JSON.stringify(ids))
    .toArray();
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => {
    const row = byId.get(id);
    return row ? [toFound(row)] : [];
  });
}

/** Passages in the documents' order, as long as they fit. */
export function readPassagesThatFit(
  sql: SqlStorage,
  { characters, documentIds }: { characters: number; documentIds?: string[] | undefined },
): FoundPassage[] {
  const found: FoundPassage[] = [];
  let left = characters;
  const rows = sql.exec<PassageRow>(
    `${PASSAGE} WHERE d.id IS NOT NULL AND (?1 IS NULL OR d.id IN (SELECT value FROM json_each(?1))) ORDER BY d.place, d.number, p.start`,
    documentIds ? JSON.stringify(documentIds) : null,
  );
  for (const row of rows) {
    left -= row.text.length;
    if (left < 0) break;
    found.push(toFound(row));
  }
  return found;
}

/** Passages of a document: its beginning, and others spread evenly over the rest. */
export function samplePassages(sql: SqlStorage, { documentId, limit }: { documentId: string; limit: number }): FoundPassage[] {
  const ids = sql
    .exec<{ id: number }>(
      "SELECT p.id FROM passages p JOIN documents d ON d.number = p.document WHERE d.id = ? ORDER BY p.start",
      documentId,
    )
    .toArray()
    .map(({ id }) => id);
  const beginning = Math.min(ids.length, Math.ceil(limit / 3));
  const spread = Math.min(limit - beginning, ids.length - beginning);
  const step = spread === 0 ? 0 : (ids.length - beginning) / spread;
  const picked = Array.from({ length: spread }, (_, at) => ids[beginning + Math.floor(at * step)]).filter((id) => id !== undefined);
  return passagesById(sql, [...new Set([...ids.slice(0, beginning), ...picked])]);
}

/** Passages of what is around a place, so many on each side of those that are asked for. */
const AROUND = 3;
/** So many passages are shown of what is asked for. */
const SHOWN = 40;

/** What stands between two places of a document, and around it; null where there is nothing. */
export function readStretch(
  sql: SqlStorage,
  { documentId, start, end }: { documentId: string; start: number; end: number },
): Stretch | null {
  const document = findDocument(sql, documentId);
  if (!document) return null;
  const part = (where: string, order: string, limit: number, ...values: number[]) =>
    sql
      .exec<PassageRow>(`${PASSAGE} WHERE d.id = ? AND ${where} ORDER BY p.start ${order} LIMIT ?`, documentId, ...values, limit)
      .toArray();
  const shown = part("p.start >= ? AND p.start < ?", "ASC", SHOWN, start, Math.max(end, start + 1));
  const last = shown.at(-1);
  if (!last) return null;
  const before = part("p.start < ?", "DESC", AROUND, start).toReversed();
  const after = part("p.start > ?", "ASC", AROUND, last.start);
  const join = (rows: readonly PassageRow[]) => rows.map(({ text }) => text).join("");
  const { id, name, pages, isComplete } = document;
  return {
    document: { id, name, pages, isComplete },
    before: join(before),
    passages: shown.map((row) => toPassage(row)),
    after: join(after),
  };
}

function toFound(row: PassageRow): FoundPassage {
  return { ...toPassage(row), document: { id: row.document_id, name: row.document_name } };
}

function toPassage({ start, text, page, sheet, row, last_row, heading, header }: PassageRow): Passage {
  return { start, text, page, sheet, row, last_row, heading, header };
}
