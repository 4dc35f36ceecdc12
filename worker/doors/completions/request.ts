import type { ChatCompletionCreateParams, ChatCompletionMessageParam } from "openai/resources/chat/completions";
import * as z from "zod/mini";
import { AppError } from "#worker/platform/errors/app-error.ts";
import { dataUrlBytes } from "#worker/platform/clients/data-url.ts";
import { pdfLength, pictureLength, recordingLength } from "#worker/platform/spending/carried-length.ts";
import type { ResolvedModel } from "#worker/people/models/resolve-model.ts";

/** A message as the caller's program wrote it; the provider reads it, so its parts are only bounded here. */
const Message = z.looseObject({
  role: z.enum(["system", "developer", "user", "assistant", "tool"] satisfies ChatCompletionMessageParam["role"][]),
  content: z.optional(z.nullable(z.union([z.string(), z.array(z.looseObject({ type: z.string() }))]))),
});

const MESSAGES_MAX = 2_000;
const TOOLS_MAX = 256;

/** What the aggregator takes besides OpenAI's own fields. */
type AggregatorField = "top_k" | "min_p" | "repetition_penalty" | "reasoning";

/** What of OpenAI's request goes on to the aggregator; a field that is none of these is refused, as what it asks for would not happen. */
const FIELDS = {
  model: z.string().check(z.minLength(1), z.maxLength(200)),
  messages: z.array(Message).check(z.minLength(1), z.maxLength(MESSAGES_MAX)),
  stream: z.optional(z.nullable(z.boolean())),
  stream_options: z.optional(z.nullable(z.strictObject({ include_usage: z.optional(z.boolean()) }))),
  n: z.optional(z.nullable(z.literal(1, "Only one choice is answered: n must be 1."))),
  max_tokens: z.optional(z.nullable(z.int().check(z.minimum(1)))),
  max_completion_tokens: z.optional(z.nullable(z.int().check(z.minimum(1)))),
  temperature: z.optional(z.nullable(z.number())),
  top_p: z.optional(z.nullable(z.number())),
  top_k: z.optional(z.nullable(z.number())),
  min_p: z.optional(z.nullable(z.number())),
  frequency_penalty: z.optional(z.nullable(z.number())),
  presence_penalty: z.optional(z.nullable(z.number())),
  repetition_penalty: z.optional(z.nullable(z.number())),
  seed: z.optional(z.nullable(z.int())),
  stop: z.optional(z.nullable(z.union([z.string(), z.array(z.string())]))),
  logit_bias: z.optional(z.nullable(z.record(z.string(), z.number()))),
  logprobs: z.optional(z.nullable(z.boolean())),
  top_logprobs: z.optional(z.nullable(z.int())),
  response_format: z.optional(z.nullable(z.looseObject({ type: z.string() }))),
  tools: z.optional(
    z.nullable(
      z
        .array(
          z.looseObject({
            type: z.literal("function", "Only functions are taken as tools."),
            function: z.looseObject({ name: z.string() }),
          }),
        )
        .check(z.maxLength(TOOLS_MAX)),
    ),
  ),
  tool_choice: z.optional(z.nullable(z.union([z.string(), z.looseObject({ type: z.string() })]))),
  parallel_tool_calls: z.optional(z.nullable(z.boolean())),
  reasoning_effort: z.optional(z.nullable(z.string())),
  reasoning: z.optional(z.nullable(z.looseObject({}))),
  verbosity: z.optional(z.nullable(z.string())),
  user: z.optional(z.nullable(z.string().check(z.maxLength(200)))),
  safety_identifier: z.optional(z.nullable(z.string().check(z.maxLength(200)))),
  prompt_cache_key: z.optional(z.nullable(z.string().check(z.maxLength(200)))),
  metadata: z.optional(z.nullable(z.record(z.string(), z.string()))),
  store: z.optional(z.nullable(z.literal(false, "Nothing is stored here: store must be false."))),
  service_tier: z.optional(
    z.nullable(z.enum(["auto", "default"], "Only the usual service is offered: service_tier must be auto or default.")),
  ),
  modalities: z.optional(z.nullable(z.array(z.literal("text", "Only text is answered: modalities must be text.")))),
} satisfies Partial<Record<keyof ChatCompletionCreateParams | AggregatorField, z.core.$ZodType>>;
const CompletionBody = z.strictObject(FIELDS);
export type CompletionBody = z.infer<typeof CompletionBody>;

/** Fields that OpenAI's older programs send, and what takes their place. */
const REPLACED: ReadonlyMap<string, keyof CompletionBody> = new Map([
  ["functions", "tools"],
  ["function_call", "tool_choice"],
] satisfies [keyof ChatCompletionCreateParams, keyof CompletionBody][]);

/** A request of OpenAI's chat completions. Throws INVALID_INPUT with the place that is wrong; the ZodError is its cause. */
export function parseCompletion(json: unknown): CompletionBody {
  const parsed = CompletionBody.safeParse(withoutNulls(json));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new AppError("INVALID_INPUT", { message: issue ? explain(issue) : "The body cannot be read.", cause: parsed.error });
}

/** Where an issue is, as OpenAI writes it: `messages[0].role`; null where it is the body itself. */
export function placeOf(issue: z.core.$ZodIssue): string | null {
  const path = issue.code === "unrecognized_keys" ? [...issue.path, issue.keys[0] ?? ""] : issue.path;
  const place = path.map((key) => (typeof key === "number" ? `[${key}]` : `.${String(key)}`)).join("");
  return place === "" ? null : place.replace(/^\./, "");
}

function explain(issue: z.core.$ZodIssue): string {
  const place = placeOf(issue) ?? "The body";
  if (issue.code !== "unrecognized_keys") return `${place}: ${issue.message}`;
  const instead = REPLACED.get(place);
  return instead ? `${place}: This field is no longer taken. Send ${instead} instead.` : `${place}: This field is not taken here.`;
}

/** Programs send null for what they don't set. */
function withoutNulls(json: unknown): unknown {
  if (json === null || typeof json !== "object" || Array.isArray(json)) return json;
  return Object.fromEntries(Object.entries(json).filter(([, value]) => value !== null));
}

/** The most tokens that the program wants of an answer; null where it says nothing of that. */
export function longestWanted({ max_tokens: older, max_completion_tokens: newer }: CompletionBody): number | null {
  return newer ?? older ?? null;
}

/** The body that the aggregator gets: usage is always asked for, as it is what the answer is charged by, and no longer an answer than is reserved for. */
export function toAggregatorBody(
  body: CompletionBody,
  { aggregatorId, routerModels }: ResolvedModel,
  maxTokens: number | null,
): Record<string, unknown> {
  // These say what is so in any case.
  const { stream_options: _, n: __, store: ___, service_tier: ____, modalities: _____, max_tokens: ______, ...given } = body;
  return {
    ...given,
    model: aggregatorId,
    ...(maxTokens !== null && { max_completion_tokens: maxTokens }),
    ...(body.stream && { stream_options: { include_usage: true } }),
    ...(routerModels && { plugins: [{ id: "auto-router", allowed_models: routerModels }] }),
  };
}

const Address = z.object({ url: z.string() });
const Part = z.union([
  z.object({ type: z.literal("text"), text: z.string() }),
  z.object({ type: z.literal("image_url"), image_url: Address }),
  z.object({ type: z.literal("file"), file: z.object({ file_data: z.optional(z.string()) }) }),
  z.object({ type: z.literal("input_audio"), input_audio: z.object({ data: z.string(), format: z.string() }) }),
  z.object({ type: z.literal("video_url"), video_url: Address }),
]);

/** Formats of sound that is not packed. */
const RAW_SOUND = new Set(["wav", "aiff", "pcm16", "pcm24"]);
/** A file or film that lies elsewhere may be as long as its model reads: the longest contexts hold so many characters. */
const ELSEWHERE = 4_000_000;

/** Characters that the model reads: of the messages with what they carry, as it is taken for in a chat, and of all else that is asked for. */
export function lengthOfPrompt({ messages, ...settings }: CompletionBody): number {
  const parts = messages.flatMap(({ content }) => (Array.isArray(content) ? content : []));
  const rest = messages.map((message) => (Array.isArray(message.content) ? { ...message, content: null } : message));
  return parts.reduce((length, part) => length + lengthOfPart(part), JSON.stringify([rest, settings]).length);
}

export function picturesIn({ messages }: CompletionBody): number {
  return messages.flatMap(({ content }) => (Array.isArray(content) ? content.filter(({ type }) => type === "image_url") : [])).length;
}

function lengthOfPart(given: unknown): number {
  const part = Part.safeParse(given).data;
  switch (part?.type) {
    case "text":
      return part.text.length;
    case "image_url":
      return pictureLength(dataUrlBytes(part.image_url.url));
    case "file":
      return lengthOfFile(part.file.file_data);
    case "input_audio":
      return recordingLength((part.input_audio.data.length * 3) / 4, RAW_SOUND.has(part.input_audio.format));
    case "video_url": {
      const bytes = dataUrlBytes(part.video_url.url);
      return bytes === null ? ELSEWHERE : recordingLength(bytes, false);
    }
    case undefined:
      return JSON.stringify(given).length;
  }
}

function lengthOfFile(url = ""): number {
  const size = dataUrlBytes(url);
  if (size === null) return ELSEWHERE;
  // Whatever is no PDF is read as the text that it is.
  return url.startsWith("data:application/pdf") ? pdfLength({ size, characters: 0 }) : size;
}
