import * as z from "zod/mini";
import { APP_NAME } from "#shared/app.ts";
import type { PromptMessage } from "../clients/aggregator.ts";
import type { MessageRow } from "./message-row.ts";

const Details = z.array(z.record(z.string(), z.unknown()));

const SYSTEM = `You are the assistant in ${APP_NAME}, a chat in which people talk to many AI models and may switch between them; earlier answers in this conversation can come from other models. Answer in the language of the person. Use Markdown where it helps: headings, lists, tables, fenced code with its language, LaTeX math between $ or $$, and Mermaid diagrams in fenced code.`;

const GO_ON = "Your last answer broke off. Go on exactly where it stopped, without repeating anything and without any introduction.";

/** What the model gets: the active path, oldest first, empty and failed answers left out; reasoning goes back unmodified to the model it came from. */
export function buildPrompt(path: MessageRow[], { modelId, goOn = false }: { modelId: string; goOn?: boolean }): PromptMessage[] {
  const messages: PromptMessage[] = [{ role: "system", content: SYSTEM }];
  for (const row of path) {
    if (row.content === "") continue;
    if (row.role === "user") messages.push({ role: "user", content: row.content });
    else messages.push({ role: "assistant", content: row.content, ...reasoningOf(row, modelId) });
  }
  if (goOn) messages.push({ role: "user", content: GO_ON });
  return messages;
}

function reasoningOf(row: MessageRow, modelId: string): { reasoning_details?: Record<string, unknown>[] } {
  const isWhole = row.status === "done" && row.model_id === modelId;
  if (!isWhole || row.reasoning_details === null) return {};
  return { reasoning_details: Details.parse(JSON.parse(row.reasoning_details)) };
}
