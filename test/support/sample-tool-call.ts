import type { ToolCall } from "#shared/entities/tool-call.ts";

/** A tool call that has just begun, changed by what the test is about. */
export function toolCall(change: Partial<ToolCall> & Pick<ToolCall, "id" | "tool">): ToolCall {
  return {
    input: {},
    status: "running",
    approval: null,
    at: 0,
    output: null,
    sources: [],
    images: [],
    parts: [],
    cost: null,
    duration_ms: null,
    ...change,
  };
}
