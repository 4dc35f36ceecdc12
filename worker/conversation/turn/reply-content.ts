import type { Citation } from "#shared/entities/message.ts";
import type { ToolCall } from "#shared/entities/tool-call.ts";

/** What a reader holds: text, reasoning, how long that took in milliseconds, tool calls, and the sources so far. */
export type ReplyContent = { text: string; reasoning: string; reasoningMs: number; calls: ToolCall[]; citations: Citation[] };
