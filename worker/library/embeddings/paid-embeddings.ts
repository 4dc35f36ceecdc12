import { type Embedded, embedTexts } from "#worker/platform/clients/embeddings.ts";
import type { Env } from "#worker/platform/env.ts";
import { hubOf } from "#worker/people/hub/stub.ts";
import { CHARACTERS_PER_TOKEN, toMicros } from "#worker/platform/spending/money.ts";

/** `what` names whose texts they are in the ledger; `price` is US dollars per million tokens, for where the aggregator gives no cost. */
type Paid = { ownerId: string; what: string; model: string; price: number; texts: readonly string[]; timeoutMs?: number };

/** Embeddings paid by their owner; null where that has no credit left. Throws EmbeddingError. */
export async function paidEmbeddings(env: Env, { ownerId, what, model, price, texts, timeoutMs }: Paid): Promise<Embedded | null> {
  const hub = hubOf(env, ownerId);
  const callId = `embedding:${what}:${crypto.randomUUID()}`;
  const tokens = texts.reduce((sum, text) => sum + text.length, 0) / CHARACTERS_PER_TOKEN;
  const dollarsOf = (count: number): number => (count * price) / 1_000_000;
  const reservation = await hub.reserveCall({ replyId: callId, generation: 0, amountMicros: toMicros(dollarsOf(tokens)) });
  if (!reservation.ok) return null;
  let embedded: Embedded | null = null;
  try {
    embedded = await embedTexts(env, { model, texts, ...(timeoutMs !== undefined && { timeoutMs }) });
    return embedded;
  } finally {
    const used = embedded?.tokens ?? tokens;
    const entry = embedded && {
      callId,
      replyId: "",
      chatId: "",
      what: "embedding" as const,
      modelId: model,
      amountMicros: toMicros(embedded.dollars ?? dollarsOf(used)),
      isHouse: false,
      tokens: Math.round(used),
    };
    await hub.charge(entry, callId);
  }
}
