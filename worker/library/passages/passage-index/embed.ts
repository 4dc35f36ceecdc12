/** Embeddings of an index's passages, made in the background at its owner's expense. */
import { paidEmbeddings } from "#worker/library/embeddings/paid-embeddings.ts";
import { configOf, type Env } from "#worker/platform/env.ts";
import { toBytes } from "#worker/library/passages/vector-bytes.ts";
import type { EmbeddingState } from "./rpc.ts";

/** Texts of one request: with 300 tokens each far below what one may have. */
const BATCH = 192;
/** Requests of one waking. */
const REQUESTS = 20;
/** How soon it is looked again whether there is credit, in milliseconds. */
const CREDIT_MS = 60 * 60_000;

type Settings = { owner_id: string; model: string | null; next_model: string | null; waits_for_credit: number; embedded_by: string | null };

function settingsOf(sql: SqlStorage): Settings | undefined {
  return sql.exec<Settings>("SELECT * FROM settings").toArray()[0];
}

/** The model by whose embeddings the index is searched; null while there are none. */
export function servingModel(sql: SqlStorage): string | null {
  return settingsOf(sql)?.model ?? null;
}

/** How far the embeddings are by the deployment's model. */
export function embeddingState(env: Env, sql: SqlStorage): EmbeddingState {
  if (configOf(env).embeddings === null) return "off";
  if (!isPending(env, sql)) return "done";
  return settingsOf(sql)?.waits_for_credit === 1 ? "no_credit" : "running";
}

/** True where passages have no embedding by the deployment's model. */
export function isPending(env: Env, sql: SqlStorage): boolean {
  const wanted = configOf(env).embeddings?.model;
  if (wanted === undefined) return false;
  const settings = settingsOf(sql);
  // Looking through all passages each time that somebody asks would take longer the more there are.
  if (settings?.embedded_by === wanted) return false;
  const column = settings?.model === wanted ? "vector" : "next";
  if (column === "next" && sql.exec("SELECT 1 FROM passages LIMIT 1").toArray().length > 0) return true;
  return missing(sql, column, 1).length > 0;
}

type Missing = { id: number; text: string; heading: string | null; sheet: string | null; header: string | null; name: string };

function missing(sql: SqlStorage, column: "vector" | "next", limit: number): Missing[] {
  return sql
    .exec<Missing>(
      `SELECT p.id, p.text, p.heading, p.sheet, p.header, d.name FROM passages p JOIN documents d ON d.number = p.document
       LEFT JOIN vectors v ON v.passage = p.id WHERE d.id IS NOT NULL AND v.${column} IS NULL LIMIT ?`,
      limit,
    )
    .toArray();
}

/** Makes embeddings that are missing; answers when to call it again, in epoch milliseconds, or null where all are there. Throws where the aggregator fails. */
export async function embedMissing(env: Env, storage: DurableObjectStorage, indexId: string): Promise<number | null> {
  const { sql } = storage;
  const wanted = configOf(env).embeddings;
  if (!wanted) return null;
  const column = chooseColumn(sql, wanted.model);
  for (let request = 0; request < REQUESTS; request += 1) {
    const settings = settingsOf(sql);
    if (!settings) return null;
    const passages = missing(sql, column, BATCH);
    if (passages.length === 0) {
      if (column === "next") promote(storage, wanted.model);
      sql.exec("UPDATE settings SET embedded_by = ?", wanted.model);
      return null;
    }
    const texts = passages.map(({ text, heading, sheet, header, name }) =>
      [name, sheet, heading, header, text].filter((part) => part !== null && part !== "").join("\n"),
    );
    const embedded = await paidEmbeddings(env, { ownerId: settings.owner_id, what: indexId, texts, ...wanted });
    sql.exec("UPDATE settings SET waits_for_credit = ?", Number(embedded === null));
    if (embedded === null) return Date.now() + CREDIT_MS;
    storage.transactionSync(() => {
      for (const [at, { id }] of passages.entries()) {
        // It may have been removed meanwhile.
        sql.exec(
          `INSERT INTO vectors (passage, ${column}) SELECT id, ?2 FROM passages WHERE id = ?1
           ON CONFLICT (passage) DO UPDATE SET ${column} = ?2`,
          id,
          toBytes(embedded.vectors[at] ?? []),
        );
      }
    });
  }
  return Date.now();
}

/** Where the model's embeddings go: beside those of another one, which serves until all are made. */
function chooseColumn(sql: SqlStorage, wanted: string): "vector" | "next" {
  const settings = settingsOf(sql);
  if (settings?.model === wanted) return "vector";
  if (settings?.next_model !== wanted) {
    sql.exec("UPDATE vectors SET next = NULL WHERE next IS NOT NULL");
    sql.exec("UPDATE settings SET next_model = ?", wanted);
  }
  return "next";
}

function promote(storage: DurableObjectStorage, model: string): void {
  storage.transactionSync(() => {
    storage.sql.exec("UPDATE vectors SET vector = next, next = NULL");
    storage.sql.exec("UPDATE settings SET model = ?, next_model = NULL", model);
  });
}
