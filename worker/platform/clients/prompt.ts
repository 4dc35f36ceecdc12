/** What a completion is asked with, in the aggregator's own shapes. */

/** A part of a model's reasoning, which goes back to it as it came. */
export type ReasoningDetail = Record<string, unknown>;

/** A part of what a person sent; pictures and files as `data:` addresses, texts first. `characters` is what a file is taken for, and is not sent. */
export type PromptPart =
  | { type: "text"; text: string }
  | { type: "image_url"; image_url: { url: string } }
  | { type: "file"; file: { filename: string; file_data: string }; characters: number };

/** A call as it goes back to the model that made it. */
export type PromptToolCall = { id: string; type: "function"; function: { name: string; arguments: string } };

/** Every tool call needs exactly one `tool` message, right after the message that made it. */
export type PromptMessage =
  | { role: "system"; content: string }
  | { role: "user"; content: string | PromptPart[] }
  | { role: "assistant"; content: string | null; tool_calls?: PromptToolCall[]; reasoning_details?: ReasoningDetail[] }
  | { role: "tool"; tool_call_id: string; content: string };

/** A tool that the model may call: a name of at most 64 of `A-Z a-z 0-9 _ -`, and its input as JSON schema. */
export type ToolDefinition = { name: string; description: string; parameters: Record<string, unknown> };
