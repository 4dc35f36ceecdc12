import { paidEmbeddings } from "#worker/library/embeddings/paid-embeddings.ts";
import { configOf, type Env } from "#worker/platform/env.ts";
import { toBytes } from "#worker/library/passages/vector-bytes.ts";
import { askMemory } from "./memories.ts";

/** Makes the embeddings that a person's facts lack; without credit they wait. Throws EmbeddingError. */
export async function embedMissingFacts(env: Env, userId: string): Promise<void> {
  const wanted = configOf(env).embeddings;
  if (!wanted) return;
  for (;;) {
    const { unembedded: facts } = await askMemory(env, userId, { kind: "unembedded" });
    if (facts.length === 0) return;
    const texts = facts.map(({ text }) => text);
    const embedded = await paidEmbeddings(env, { ownerId: userId, what: "memory", texts, ...wanted });
    if (!embedded) {
      await askMemory(env, userId, { kind: "embedLater" });
      return;
    }
    const made = facts.map((fact, at) => ({ ...fact, vector: toBytes(embedded.vectors[at] ?? []) }));
    await askMemory(env, userId, { kind: "embedded", model: wanted.model, made });
  }
}
