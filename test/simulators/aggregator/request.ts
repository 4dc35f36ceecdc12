import * as z from "zod";

export const ReasoningDetail = z.looseObject({
  type: z.string(),
  text: z.string().nullish(),
  summary: z.string().nullish(),
  data: z.string().nullish(),
  signature: z.string().nullish(),
  format: z.string().nullish(),
  index: z.number().nullish(),
});
export type ReasoningDetail = z.infer<typeof ReasoningDetail>;

const Part = z.looseObject({
  type: z.enum(["text", "image_url", "file", "input_audio", "video_url", "refusal"]),
  text: z.string().optional(),
  image_url: z.looseObject({ url: z.string() }).optional(),
  file: z.looseObject({ filename: z.string().optional(), file_data: z.string().optional() }).optional(),
  input_audio: z.looseObject({ data: z.string(), format: z.string() }).optional(),
});
export type Part = z.infer<typeof Part>;

const ToolCall = z.looseObject({
  id: z.string(),
  type: z.literal("function"),
  function: z.looseObject({ name: z.string(), arguments: z.string() }),
});

const Message = z.looseObject({
  role: z.enum(["system", "developer", "user", "assistant", "tool"]),
  content: z.union([z.string(), z.array(Part)]).nullish(),
  tool_calls: z.array(ToolCall).optional(),
  tool_call_id: z.string().optional(),
  reasoning: z.string().nullish(),
  reasoning_details: z.array(ReasoningDetail).nullish(),
});
export type Message = z.infer<typeof Message>;

/** What the demonstration reads of a chat completion request; everything else passes unread. */
export const ChatRequest = z.looseObject({
  model: z.string().optional(),
  models: z.array(z.string()).optional(),
  messages: z.array(Message).min(1),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().optional() }).nullish(),
  tools: z
    .array(
      z.looseObject({
        type: z.string(),
        function: z.looseObject({ name: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/) }).optional(),
      }),
    )
    .nullish(),
  reasoning: z
    .looseObject({
      enabled: z.boolean().optional(),
      effort: z.string().optional(),
      exclude: z.boolean().optional(),
      max_tokens: z.number().optional(),
    })
    .nullish(),
  max_completion_tokens: z.number().int().positive().nullish(),
  max_tokens: z.number().int().positive().nullish(),
  plugins: z
    .array(
      z.looseObject({
        id: z.string(),
        allowed_models: z.array(z.string()).optional(),
        excluded_models: z.array(z.string()).optional(),
        pdf: z.looseObject({ engine: z.string() }).optional(),
      }),
    )
    .nullish(),
  provider: z
    .looseObject({
      max_price: z.looseObject({ prompt: z.coerce.number().optional(), completion: z.coerce.number().optional() }).optional(),
    })
    .nullish(),
  session_id: z.string().max(256).nullish(),
  debug: z.looseObject({ echo_upstream_body: z.boolean().optional() }).nullish(),
});
export type ChatRequest = z.infer<typeof ChatRequest>;

/** What the product adds before a person's words. */
const ADDED = /^What stands between the two (added-[^ ]{1,8}) marks [^\n]*\n<\1>\n[^]*?\n<\/\1>\n\n/;

/** What the product adds to a message; empty where that is nothing. */
export function addedTo(message: Message | undefined): string {
  return ADDED.exec(textOf(message))?.[0] ?? "";
}

/** What a person said in a message, without what the product adds to it. */
export function wordsOf(message: Message | undefined): string {
  return textOf(message).replace(ADDED, "");
}

/** A message's text parts, joined. */
export function textOf(message: Message | undefined): string {
  const content = message?.content;
  if (!content) return "";
  if (typeof content === "string") return content;
  return content.flatMap((part) => (part.type === "text" && part.text !== undefined ? [part.text] : [])).join("\n");
}

/** A message's parts other than text. */
export function attachmentsOf(message: Message | undefined): Part[] {
  return Array.isArray(message?.content) ? message.content.filter((part) => part.type !== "text") : [];
}

/** The last message of role user, and its place. */
export function lastUserMessage(messages: readonly Message[]): { index: number; message: Message | undefined } {
  const index = messages.findLastIndex(
    // Right after results it is not a question, but what they brought in pictures.
    ({ role }, at) => role === "user" && messages[at - 1]?.role !== "tool",
  );
  return { index, message: messages[index] };
}
