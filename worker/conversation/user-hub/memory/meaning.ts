/** The embeddings of one user's facts: what is missing is made in the background, by the deployment's model of today. */
import { configOf, type Env } from "#worker/platform/env.ts";
import type { DueWork } from "#worker/platform/due-work/due-work.ts";
import { enqueue } from "#worker/platform/jobs/job.ts";
import { embedFactsJob } from "#worker/library/memories/embed-facts-job.ts";
import type { FactEmbedding, Unembedded } from "#worker/library/memories/rpc.ts";

/** The row of later work that stands for it. */
export const MEANING = "meaning";
/** It waits this long for more, in milliseconds. */
const SOON_MS = 5_000;
/** How soon it is looked again whether there is credit, in milliseconds. */
const CREDIT_MS = 60 * 60_000;
/** Texts of one request. */
const BATCH = 192;

type Deps = { env: Env; sql: SqlStorage; userId: string; due: () => Pick<DueWork<"memory">, "schedule" | "has"> };

export type Meaning = {
  /** The embeddings that were made by this model, by their facts' ids. */
  madeBy(model: string): Map<string, Int8Array>;
  keep(id: string, embedding: FactEmbedding): void;
  /** Facts that have none by the deployment's model. */
  missing(): Unembedded[];
  /** Keeps those that were made of facts as they still are. */
  fill(made: readonly (Unembedded & { vector: Uint8Array })[], model: string): void;
  /** Has what is missing made before long. */
  soon(): Promise<void>;
  /** It could not be paid, and is tried again. */
  later(): Promise<void>;
  waitsForCredit(): boolean;
  /** Its time has come. */
  run(): Promise<null>;
};

/** The embeddings of one user's facts. */
export function createMeaning({ env, sql, userId, due }: Deps): Meaning {
  function missing(limit = BATCH): Unembedded[] {
    const model = configOf(env).embeddings?.model;
    if (model === undefined) return [];
    return sql
      .exec<Unembedded>(
        `SELECT m.id, m.text FROM memories m LEFT JOIN memory_vectors v ON v.memory_id = m.id AND v.model = ?
         WHERE m.ended IS NULL AND v.memory_id IS NULL ORDER BY m.seq LIMIT ?`,
        model,
        limit,
      )
      .toArray();
  }
  const setWaits = (waits: boolean) =>
    sql.exec("UPDATE hub SET memory_waits_for_credit = ?1 WHERE memory_waits_for_credit <> ?1", Number(waits));
  return {
    madeBy(model) {
      const rows = sql.exec<{ id: string; vector: ArrayBuffer }>(
        "SELECT memory_id AS id, vector FROM memory_vectors WHERE model = ?",
        model,
      );
      return new Map(rows.toArray().map(({ id, vector }) => [id, new Int8Array(vector)]));
    },
    keep(id, { model, vector }) {
      sql.exec("INSERT OR REPLACE INTO memory_vectors (memory_id, model, vector) VALUES (?, ?, ?)", id, model, vector);
    },
    missing,
    fill(made, model) {
      for (const { id, text, vector } of made)
        sql.exec(
          "INSERT OR REPLACE INTO memory_vectors (memory_id, model, vector) SELECT id, ?2, ?3 FROM memories WHERE id = ?1 AND text = ?4",
          id,
          model,
          vector,
          text,
        );
      setWaits(false);
    },
    async soon() {
      if (!due().has("memory", MEANING) && missing(1).length > 0) await due().schedule("memory", MEANING, Date.now() + SOON_MS);
    },
    async later() {
      setWaits(true);
      await due().schedule("memory", MEANING, Date.now() + CREDIT_MS);
    },
    waitsForCredit: () =>
      missing(1).length > 0 && sql.exec<{ waits: number }>("SELECT memory_waits_for_credit AS waits FROM hub").one().waits === 1,
    async run() {
      if (missing(1).length > 0) await enqueue(env, embedFactsJob, { userId });
      return null;
    },
  };
}
