/** Embeddings of texts (OpenAI's `POST /embeddings`). */
import * as z from "zod/mini";
import { configOf, type Env } from "#worker/platform/env.ts";
import { loadOnce } from "#worker/platform/load-once.ts";
import { plausibleCost } from "./completion-chunks.ts";
import { egressFetch } from "./egress.ts";
import { readUpTo } from "./read-up-to.ts";

const openai = loadOnce(async () => {
  const { OpenAI, APIError } = await import("openai");
  return { OpenAI, APIError };
});

const TIMEOUT_MS = 60_000;
/** An answer's bytes: 256 embeddings of 4,096 numbers as text. */
const MAX_BYTES = 32 * 1024 * 1024;

const Answer = z.object({
  data: z.array(z.object({ index: z.number(), embedding: z.union([z.array(z.number()), z.string()]) })),
  usage: z.nullish(z.object({ total_tokens: z.nullish(z.number()), cost: z.nullish(z.number()) })),
});

/** Texts' embeddings in order, what they cost in US dollars and how many tokens were read; null where the server doesn't say. */
export type Embedded = { vectors: number[][]; dollars: number | null; tokens: number | null };

/** Thrown where embeddings could not be had. */
export class EmbeddingError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "EmbeddingError";
  }
}

/** Asks a model for the embeddings of texts. Throws EmbeddingError. */
export async function embedTexts(
  env: Env,
  { model, texts, timeoutMs = TIMEOUT_MS }: { model: string; texts: readonly string[]; timeoutMs?: number },
): Promise<Embedded> {
  const { url, key } = configOf(env).aggregator;
  try {
    const { OpenAI, APIError } = await openai();
    const client = new OpenAI({
      apiKey: key ?? "none",
      baseURL: url,
      fetch: boundedFetch,
      timeout: timeoutMs,
      maxRetries: 0,
      logLevel: "off",
    });
    const asked = client.embeddings
      // As bytes, a third of what the same numbers take as text.
      .create({ model, input: [...texts], encoding_format: "base64" })
      .catch((cause: unknown) => {
        if (!(cause instanceof APIError) || cause.status === undefined) throw cause;
        throw new EmbeddingError(`The model ${model} answered ${cause.status}.`);
      });
    const { data, usage } = Answer.parse(await asked);
    const vectors = data.toSorted((a, b) => a.index - b.index).map(({ embedding }) => toNumbers(embedding));
    if (vectors.length !== texts.length)
      throw new EmbeddingError(`The model ${model} answered ${vectors.length} embeddings of ${texts.length}.`);
    return { vectors, dollars: plausibleCost(usage?.cost), tokens: usage?.total_tokens ?? null };
  } catch (cause) {
    throw cause instanceof EmbeddingError ? cause : new EmbeddingError("Embeddings could not be had.", { cause });
  }
}

/** Answers are read no further than they can be long, and as JSON whatever they call themselves. */
async function boundedFetch(url: string | URL | Request, init?: RequestInit): Promise<Response> {
  const { body, status } = await egressFetch(url, init);
  return new Response(body && (await readUpTo(body, MAX_BYTES)), { status, headers: { "content-type": "application/json" } });
}

/** An embedding as numbers: as it is, or four bytes each. */
function toNumbers(embedding: number[] | string): number[] {
  if (typeof embedding !== "string") return embedding;
  const bytes = Uint8Array.from(atob(embedding), (character) => character.charCodeAt(0));
  const view = new DataView(bytes.buffer);
  return Array.from({ length: Math.floor(bytes.byteLength / 4) }, (_, at) => view.getFloat32(at * 4, true));
}
