import OpenAI from "openai";
import * as z from "zod";
import type { Simulator } from "./simulator.ts";

const Delta = z.looseObject({
  content: z.string().nullish(),
  reasoning: z.string().nullish(),
  reasoning_details: z.array(z.looseObject({ type: z.string() })).nullish(),
  annotations: z.array(z.unknown()).nullish(),
  tool_calls: z
    .array(
      z.looseObject({
        index: z.number().optional(),
        id: z.string().optional(),
        function: z.looseObject({ name: z.string().optional(), arguments: z.string().optional() }),
      }),
    )
    .nullish(),
});

const Chunk = z.looseObject({
  model: z.string(),
  choices: z.array(z.looseObject({ delta: Delta, finish_reason: z.string().nullish() })),
  usage: z.looseObject({ prompt_tokens: z.number(), completion_tokens: z.number(), cost: z.number() }).optional(),
});
export type Chunk = z.infer<typeof Chunk>;

/** A streamed answer put together again. */
export type ReadAnswer = {
  chunks: Chunk[];
  model: string;
  text: string;
  reasoning: string;
  details: Record<string, unknown>[];
  calls: { id: string; name: string; arguments: string }[];
  annotations: unknown[];
  finish: string | null;
  usage: NonNullable<Chunk["usage"]>[];
  /** What ended the stream, when it was not its end. */
  error: unknown;
};

/** A client such as the product's, which never retries by itself. */
export function clientOf(simulator: Simulator, headers: Record<string, string> = {}): OpenAI {
  return new OpenAI({ apiKey: "test", baseURL: simulator.url, maxRetries: 0, defaultHeaders: headers });
}

/** Asks with the openai SDK and reads the stream to its end, or to the error that ends it. */
export async function ask(client: OpenAI, prompt: string, more: Record<string, unknown> = {}): Promise<ReadAnswer> {
  return askWith(client, { model: "openai/gpt-4o-mini", messages: [{ role: "user", content: prompt }], ...more });
}

/** The same with a whole request body. */
export async function askWith(client: OpenAI, body: Record<string, unknown>): Promise<ReadAnswer> {
  const answer: ReadAnswer = {
    chunks: [],
    model: "",
    text: "",
    reasoning: "",
    details: [],
    calls: [],
    annotations: [],
    finish: null,
    usage: [],
    error: null,
  };
  const stream = await client.post("/chat/completions", { body: { ...body, stream: true }, stream: true });
  try {
    for await (const raw of z.custom<AsyncIterable<unknown>>().parse(stream)) collect(answer, Chunk.parse(raw));
  } catch (error) {
    answer.error = error;
  }
  return answer;
}

function collect(answer: ReadAnswer, chunk: Chunk): void {
  answer.chunks.push(chunk);
  answer.model = chunk.model;
  if (chunk.usage) answer.usage.push(chunk.usage);
  for (const { delta, finish_reason: finish } of chunk.choices) {
    answer.text += delta.content ?? "";
    answer.reasoning += delta.reasoning ?? "";
    answer.details.push(...(delta.reasoning_details ?? []));
    answer.annotations.push(...(delta.annotations ?? []));
    if (finish) answer.finish = finish;
    for (const [place, call] of (delta.tool_calls ?? []).entries()) {
      const known = call.index === undefined && call.id !== undefined ? undefined : answer.calls[call.index ?? place];
      if (known) known.arguments += call.function.arguments ?? "";
      else answer.calls.push({ id: call.id ?? "", name: call.function.name ?? "", arguments: call.function.arguments ?? "" });
    }
  }
}

/** The bytes of a stream exactly as they arrive, chunk by chunk. */
export async function readRaw(
  simulator: Simulator,
  prompt: string,
  headers: Record<string, string> = {},
): Promise<{ rawChunks: Uint8Array[]; text: string }> {
  const response = await fetch(`${simulator.url}/chat/completions`, {
    method: "POST",
    headers: { Authorization: "Bearer test", "Content-Type": "application/json", ...headers },
    body: JSON.stringify({ model: "openai/gpt-4o-mini", stream: true, messages: [{ role: "user", content: prompt }] }),
  });
  const rawChunks: Uint8Array[] = [];
  for await (const rawChunk of z.custom<AsyncIterable<Uint8Array>>().parse(response.body)) rawChunks.push(rawChunk);
  return { rawChunks, text: Buffer.concat(rawChunks).toString("utf8") };
}
