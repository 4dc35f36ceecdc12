import { LEAST_MICROS } from "../credits/longest-answer.ts";
import { CHARACTERS_PER_TOKEN, toMicros } from "../credits/money.ts";
import { embedTexts, EmbeddingError } from "../clients/embeddings.ts";
import { AggregatorError } from "../clients/aggregator-errors.ts";
import { configOf, type Env } from "../env.ts";
import { log } from "../log.ts";
import type { Embedding, IndexState, PassageHit } from "../passage-index/rpc.ts";
import { indexOf } from "../passage-index/stub.ts";
import type { Question } from "../turn/contribution.ts";
import type { TurnRequest } from "../turn/request.ts";
import { hubOf } from "../user-hub/stub.ts";
import { fuseRanks } from "./fuse-ranks.ts";
import { leansOnBefore, rewriteQuestion, rewriteTokens, wordsToSearch } from "./question.ts";
import type { Cited } from "./quote-passages.ts";

/** An answer waits no longer than this many milliseconds for the embedding of its question. */
const EMBEDDING_MS = 5_000;

/** What was spent on finding passages, in micro-dollars; each paid call adds to it. */
export type Spent = { micros: number };

type Asked = Pick<TurnRequest, "chatId" | "replyId" | "reader" | "titleModel"> & { spent?: Spent };
type Searched = { entry: { id: string }; state: Pick<IndexState, "model">; documentIds?: string[] };
type Wanted = { request: Asked; question: Question; held: readonly Searched[]; limit: number };

/** The passages that say most of a question, which is rewritten where it leans on what came before; nearest first. */
export async function findPassages(env: Env, { request, question, held, limit }: Wanted): Promise<Cited[]> {
  const leans = leansOnBefore(question);
  const rewritten = leans ? await rewrite(env, request, question) : null;
  return searchHeld(env, { request, query: rewritten ?? wordsToSearch(question, leans), held, limit });
}

type Searching = Omit<Wanted, "question"> & { query: string };

/** The passages nearest to a query in all of these entries. */
export async function searchHeld(env: Env, searching: Searching): Promise<Cited[]> {
  const hits = await findHits(env, searching);
  return hits
    .toSorted((one, other) => other.hit.score - one.hit.score)
    .slice(0, searching.limit)
    .map(toCited);
}

/** The same where these indexes hold parts of one whole: what is first in its own part is not first for that. */
export async function searchParts(env: Env, searching: Searching): Promise<Cited[]> {
  const hits = await findHits(env, searching);
  const rankings = (["words", "meaning"] as const).map((way) =>
    hits.filter(({ hit }) => hit[way] !== null).toSorted((one, other) => (other.hit[way] ?? 0) - (one.hit[way] ?? 0)),
  );
  return [...fuseRanks(rankings)]
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, searching.limit)
    .map(([found]) => toCited(found));
}

type Hit = { contextId: string; hit: PassageHit };

async function findHits(env: Env, { request, query, held, limit }: Searching): Promise<Hit[]> {
  const models = [...new Set(held.flatMap(({ state }) => (state.model === null ? [] : [state.model])))];
  const embeddings = await Promise.all(models.map((model) => embedQuery(env, request, { model, query })));
  const hits = await Promise.all(
    held.map(async ({ entry, state, documentIds }) => {
      const embedding = embeddings.find((made) => made?.model === state.model) ?? null;
      const found = await indexOf(env, entry.id).search({ query, embedding, limit, ...(documentIds && { documentIds }) });
      return found.map((hit) => ({ contextId: entry.id, hit }));
    }),
  );
  return hits.flat();
}

function toCited({ contextId, hit }: Hit): Cited {
  return { contextId, passages: [withoutScore(hit)] };
}

function withoutScore({ score: _score, words: _words, meaning: _meaning, ...passage }: PassageHit): Cited["passages"][number] {
  return passage;
}

async function rewrite(env: Env, request: Asked, question: Question): Promise<string | null> {
  const model = request.titleModel;
  if (model === null) return null;
  try {
    return await paid(env, request, { modelId: model, estimate: LEAST_MICROS }, async () => {
      const { text, usage } = await rewriteQuestion(env, question, model);
      const tokens = usage ? usage.prompt_tokens + usage.completion_tokens : rewriteTokens(question);
      return { value: text === "" ? null : text, micros: toMicros(usage?.cost ?? 0), tokens };
    });
  } catch (cause) {
    if (!(cause instanceof AggregatorError)) throw cause;
    // The words of both questions find something too.
    log.warn("a question could not be rewritten", { cause });
    return null;
  }
}

async function embedQuery(env: Env, request: Asked, { model, query }: { model: string; query: string }): Promise<Embedding | null> {
  const price = configOf(env).embeddings?.price ?? 0;
  const tokens = query.length / CHARACTERS_PER_TOKEN;
  try {
    return await paid(env, request, { modelId: model, estimate: toMicros((tokens * price) / 1_000_000) }, async () => {
      const embedded = await embedTexts(env, { model, texts: [query], timeoutMs: EMBEDDING_MS });
      const [vector = []] = embedded.vectors;
      const used = embedded.tokens ?? tokens;
      return { value: { model, vector }, micros: toMicros(embedded.dollars ?? (used * price) / 1_000_000), tokens: used };
    });
  } catch (cause) {
    if (!(cause instanceof EmbeddingError)) throw cause;
    log.warn("a question could not be embedded: passages are found by words alone", { cause });
    return null;
  }
}

type Done<T> = { value: T; micros: number; tokens: number };

/** Does something at the expense of the turn's reader; null without credit. What fails costs nothing. */
async function paid<T>(
  env: Env,
  { chatId, replyId, reader, spent }: Asked,
  { modelId, estimate }: { modelId: string; estimate: number },
  work: () => Promise<Done<T>>,
): Promise<T | null> {
  const hub = hubOf(env, reader.userId);
  const callId = `question:${crypto.randomUUID()}`;
  const held = await hub.reserveCall({ replyId: callId, generation: 0, amountMicros: estimate });
  if (!held.ok) return null;
  let done: Done<T> | null = null;
  try {
    done = await work();
    return done.value;
  } finally {
    const entry = done &&
      done.micros > 0 && {
        callId,
        replyId,
        chatId,
        what: "question" as const,
        modelId,
        amountMicros: done.micros,
        isHouse: false,
        tokens: Math.round(done.tokens),
      };
    await hub.charge(entry || null, callId);
    if (spent && done) spent.micros += done.micros;
  }
}
