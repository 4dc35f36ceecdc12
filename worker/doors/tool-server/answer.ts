import type { CallToolResult } from "@modelcontextprotocol/server";
import { Refusal } from "./own-api.ts";

/** The most characters that one answer carries. */
const TEXT_MAX = 100_000;

/** What a tool answers: text for the model, and the same as data where there is some. What the API refuses becomes the tool's error. */
export async function answer(work: () => Promise<{ text: string; data?: Record<string, unknown> }>): Promise<CallToolResult> {
  try {
    const { text, data } = await work();
    return { content: [{ type: "text", text: cut(text) }], ...(data && { structuredContent: data }) };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { content: [{ type: "text", text: error.message }], isError: true };
  }
}

/** A text as one answer carries it; a longer one says so at its end. */
export function cut(text: string): string {
  return text.length <= TEXT_MAX
    ? text
    : `${text.slice(0, TEXT_MAX)}\n\n[Cut here: the whole has ${text.length.toLocaleString("en")} characters.]`;
}
