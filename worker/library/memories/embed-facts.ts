/** The meaning of facts, as embeddings that their person pays. */
import { EmbeddingError } from "#worker/platform/clients/embeddings.ts";
import { paidEmbeddings } from "#worker/library/embeddings/paid-embeddings.ts";
import { configOf, type Env } from "#worker/platform/env.ts";
import { log } from "#worker/platform/log.ts";
import { toBytes } from "#worker/library/passages/vector-bytes.ts";
import type { FactEmbedding } from "./rpc.ts";

/** What is being saved waits no longer than this many milliseconds for its meaning. */
const WAIT_MS = 5_000;
const PATIENCE_MS = 30_000;

/** As `embedFacts`, for whom nobody waits. Throws EmbeddingError. */
export async function embedAllFacts(
  env: Env,
  userId: string,
  texts: readonly string[],
  timeoutMs = PATIENCE_MS,
): Promise<FactEmbedding[] | null> {
  const wanted = configOf(env).embeddings;
  if (!wanted || texts.length === 0) return null;
  const embedded = await paidEmbeddings(env, { ownerId: userId, what: "memory", texts, timeoutMs, ...wanted });
  return embedded && embedded.vectors.map((vector) => ({ model: wanted.model, vector: toBytes(vector) }));
}

/** Embeddings of facts in order; null where no model is set, where it fails, and without credit: their words are compared then. */
export async function embedFacts(env: Env, userId: string, texts: readonly string[]): Promise<FactEmbedding[] | null> {
  try {
    return await embedAllFacts(env, userId, texts, WAIT_MS);
  } catch (cause) {
    if (!(cause instanceof EmbeddingError)) throw cause;
    log.warn("a fact could not be embedded: its words alone are compared", { cause });
    return null;
  }
}
