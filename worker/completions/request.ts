import * as z from "zod/mini";
import { AppError } from "../app-error.ts";
import type { ResolvedModel } from "../models/resolve-model.ts";

/** A message as the caller's program wrote it; the provider reads it, so its parts are only bounded here. */
const Message = z.looseObject({
  role: z.enum(["system", "developer", "user", "assistant", "tool", "function"]),
  content: z.optional(z.nullable(z.union([z.string(), z.array(z.looseObject({ type: z.string() }))]))),
});

const MESSAGES_MAX = 2_000;
/** What a picture or a file is taken for in characters, as in a chat: its tokens do not go by its length. */
const PICTURE_CHARACTERS = 6_000;
const TOOLS_MAX = 256;

/** What of OpenAI's request goes on to the aggregator; anything else, as what would cost beside the model, is left out. */
const CompletionBody = z.object({
  model: z.string().check(z.minLength(1), z.maxLength(200)),
  messages: z.array(Message).check(z.minLength(1), z.maxLength(MESSAGES_MAX)),
  stream: z.optional(z.nullable(z.boolean())),
  stream_options: z.optional(z.nullable(z.object({ include_usage: z.optional(z.boolean()) }))),
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
});
export type CompletionBody = z.infer<typeof CompletionBody>;

/** A request of OpenAI's chat completions. Throws INVALID_INPUT with the place that is wrong. */
export function parseCompletion(json: unknown): CompletionBody {
  const parsed = CompletionBody.safeParse(json);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const place = issue?.path.join(".") || "The body";
  throw new AppError("INVALID_INPUT", { message: `${place}: ${issue?.message ?? "it cannot be read"}` });
}

/** The body that the aggregator gets: usage is always asked for, as it is what the answer is charged by. */
export function toAggregatorBody(body: CompletionBody, { aggregatorId, routerModels }: ResolvedModel): Record<string, unknown> {
  const { stream_options: _, n: __, ...rest } = body;
  const given = Object.fromEntries(Object.entries(rest).filter(([, value]) => value != null));
  return {
    ...given,
    model: aggregatorId,
    ...(body.stream && { stream_options: { include_usage: true } }),
    ...(routerModels && { plugins: [{ id: "auto-router", allowed_models: routerModels }] }),
  };
}

const Part = z.object({ type: z.string(), text: z.optional(z.string()) });

/** Characters that the model reads: all of the messages and tools; a picture or a file counts as a picture does in a chat. */
export function lengthOfPrompt({ messages, tools }: CompletionBody): number {
  const parts = messages.flatMap(({ content }) => (Array.isArray(content) ? content : []));
  const rest = messages.map((message) => (Array.isArray(message.content) ? { ...message, content: null } : message));
  return parts.reduce((length, part) => length + lengthOfPart(part), JSON.stringify([rest, tools ?? []]).length);
}

function lengthOfPart(part: unknown): number {
  const { data } = Part.safeParse(part);
  return data?.type === "text" ? (data.text ?? "").length : PICTURE_CHARACTERS;
}
