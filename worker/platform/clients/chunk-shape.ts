/**
 * The chunks of a streamed completion as OpenRouter and other servers write them. A field of no known shape counts as absent, so
 * it costs nothing but itself.
 */
import * as z from "zod/mini";
import { nullishField } from "./nullish-field.ts";
import { ToolCallFragment } from "./tool-call-fragments.ts";

const text = nullishField(z.string());
const amount = nullishField(z.number());
const list = nullishField(z.array(z.unknown()));

const Usage = z.object({
  prompt_tokens: amount,
  completion_tokens: amount,
  input_tokens: amount,
  output_tokens: amount,
  /** US dollars; Perplexity's is an object. */
  cost: nullishField(z.union([z.number(), z.object({ total_cost: z.number() })])),
  /** xAI's, 10^10 to the dollar. */
  cost_in_usd_ticks: amount,
  prompt_tokens_details: nullishField(z.object({ cached_tokens: amount, cache_write_tokens: amount })),
  /** DeepSeek's own. */
  prompt_cache_hit_tokens: amount,
  completion_tokens_details: nullishField(z.object({ reasoning_tokens: amount })),
});
const usage = nullishField(Usage);
export type WireUsage = z.infer<typeof Usage>;

const Delta = z.object({
  /** Mistral's is a list of parts where the model thinks. */
  content: z.optional(z.unknown()),
  refusal: text,
  reasoning: text,
  /** The name that DeepSeek, Z.ai, Moonshot, xAI and vLLM give it. */
  reasoning_content: text,
  reasoning_details: nullishField(z.array(z.record(z.string(), z.unknown()))),
  annotations: list,
  tool_calls: list,
});
export type Delta = z.infer<typeof Delta>;

export const Chunk = z.object({
  model: text,
  error: z.optional(z.unknown()),
  choices: nullishField(
    z.array(z.object({ index: amount, finish_reason: text, error: z.optional(z.unknown()), delta: nullishField(Delta), usage })),
  ),
  usage,
  /** Groq's place for the usage of a stream. */
  x_groq: nullishField(z.object({ usage })),
  /** Perplexity's and xAI's sources; Perplexity lists the titles separately. */
  citations: list,
  search_results: list,
});
export type Chunk = z.infer<typeof Chunk>;

/** The usage in a chunk, wherever it stands; null where there is none. */
export function usageIn(chunk: Chunk): WireUsage | null {
  return chunk.usage ?? chunk.x_groq?.usage ?? chunk.choices?.find((choice) => choice.usage)?.usage ?? null;
}

export function parseUsage(value: unknown): WireUsage | null {
  return Usage.safeParse(value).data ?? null;
}

const Part = z.object({ type: text, text, thinking: z.optional(z.unknown()) });

/** The words of a message's content, a text or a list of parts. */
export function textIn(content: unknown): string {
  if (typeof content === "string") return content;
  return partsOf(content)
    .map((part) => (part.type === "text" ? (part.text ?? "") : ""))
    .join("");
}

/** What a model thinks among the parts of its content. */
export function thinkingIn(content: unknown): string {
  return partsOf(content)
    .map((part) => (part.type === "thinking" ? textIn(part.thinking) : ""))
    .join("");
}

function partsOf(content: unknown): z.infer<typeof Part>[] {
  return Array.isArray(content) ? content.flatMap((part) => Part.safeParse(part).data ?? []) : [];
}

const Detail = z.object({ text, summary: text });

/** What can be read of a chunk's fragments of reasoning; some are encrypted. */
export function reasoningIn(details: Delta["reasoning_details"]): string {
  return (details ?? [])
    .map((detail) => {
      const { data } = Detail.safeParse(detail);
      return data?.text ?? data?.summary ?? "";
    })
    .join("");
}

/** A chunk's fragments of tool calls; what is none is left out. */
export function fragmentsIn(delta: Delta): ToolCallFragment[] {
  return (delta.tool_calls ?? []).flatMap((fragment) => ToolCallFragment.safeParse(fragment).data ?? []);
}

const Annotation = z.object({
  type: z.literal("url_citation"),
  url_citation: z.object({ url: z.string(), title: text }),
});
const Source = z.union([
  z.pipe(
    z.string(),
    z.transform((url) => ({ url, title: null })),
  ),
  z.object({ url: z.string(), title: text }),
]);

export type WireSource = { url: string; title: string | null };

export function annotatedSources(delta: Delta): WireSource[] {
  return (delta.annotations ?? []).flatMap((value) => {
    const { data } = Annotation.safeParse(value);
    return data ? toSources(data.url_citation) : [];
  });
}

/** The sources that a chunk names beside its choices, in the order in which the text counts them. */
export function listedSources({ citations, search_results: results }: Chunk): WireSource[] {
  const found = parseSources(results);
  const titles = new Map(found.map(({ url, title }) => [url, title]));
  return citations?.length ? parseSources(citations).map(({ url, title }) => ({ url, title: title ?? titles.get(url) ?? null })) : found;
}

function parseSources(values: unknown[] | null | undefined): WireSource[] {
  return (values ?? []).flatMap((value) => {
    const { data } = Source.safeParse(value);
    return data ? toSources(data) : [];
  });
}

function toSources({ url, title }: { url: string; title?: string | null | undefined }): WireSource[] {
  return /^https?:\/\//i.test(url) && URL.canParse(url) ? [{ url, title: title ?? null }] : [];
}
