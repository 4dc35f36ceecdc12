/** Marks in a prompt up to which a provider keeps it, so the next request reads that part for a tenth of its price. */
import { CHARACTERS_PER_TOKEN } from "#worker/platform/spending/money.ts";
import type { PromptMessage, PromptPart } from "./prompt.ts";

/** How a prompt is kept: for how long after each use, and from how many tokens on. */
export type PromptCaching = { life: "5m" | "1h"; minimum: number };

type Mark = { type: "ephemeral"; ttl?: "1h" };
type TextPart = { type: "text"; text: string; cache_control?: Mark };
type Part = TextPart | Extract<PromptPart, { type: "image_url" }> | { type: "file"; file: { filename: string; file_data: string } };

/** A message whose content is a list of parts, of which texts may be marked. */
export type MarkedMessage =
  | { role: "system"; content: TextPart[] }
  | { role: "user"; content: Part[] }
  | (Omit<Extract<PromptMessage, { role: "assistant" }>, "content"> & { content: TextPart[] | null })
  | { role: "tool"; tool_call_id: string; content: TextPart[] };

/**
 * The same messages with their contents as lists of parts, as nothing else can be marked, and a text that becomes a list later is another
 * prompt. Marked are the end of the system prompt, with it the tools before it, the end of the request before this one, and this one's: vendors
 * take four marks, and look back from a mark no more than twenty parts for an earlier one.
 */
export function markMessages(messages: readonly PromptMessage[], { life, minimum }: PromptCaching, toolsLength: number): MarkedMessage[] {
  const marked = messages.map(toParts);
  const answeredAt = messages.findLastIndex(({ role }) => role === "assistant");
  const places = new Set([0, answeredAt - 1, messages.length - 1]);
  let length = toolsLength;
  for (const [place, { content }] of marked.entries()) {
    const texts = (content ?? []).filter((part) => part.type === "text");
    length += texts.reduce((sum, { text }) => sum + text.length, 0);
    // Neither pictures nor empty texts take a mark.
    const last = texts.findLast(({ text }) => text !== "");
    if (last && places.has(place) && length >= minimum * CHARACTERS_PER_TOKEN)
      last.cache_control = { type: "ephemeral", ...(life === "1h" && { ttl: "1h" }) };
  }
  return marked;
}

function toParts(message: PromptMessage): MarkedMessage {
  switch (message.role) {
    case "user":
      return { ...message, content: typeof message.content === "string" ? textParts(message.content) : message.content.map(toSent) };
    case "assistant":
      return { ...message, content: message.content === null ? null : textParts(message.content) };
    case "system":
    case "tool":
      return { ...message, content: textParts(message.content) };
  }
}

function textParts(text: string): TextPart[] {
  return [{ type: "text", text }];
}

/** A part as it is sent: without what a file is taken for. */
export function toSent(part: PromptPart): Part {
  return part.type === "file" ? { type: part.type, file: part.file } : { ...part };
}
