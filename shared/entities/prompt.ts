import * as z from "zod/mini";
import { Id, Timestamp } from "./ids.ts";

/** A prompt as lists have it: all but its content, where they show the beginning. */
export const PromptSummary = z.object({
  id: Id,
  name: z.string(),
  /** The first 100 characters of its content, on one line, and an ellipsis where there is more. */
  preview: z.string(),
  /** More than one of a workflow. */
  steps: z.number(),
  /** How many variables it asks for. */
  fields: z.number(),
  /** Null for a personal one. */
  team_id: z.nullable(Id),
  user_id: Id,
  /** What it sets in the chat that it is used in; null leaves that as it is. */
  tool_categories: z.nullable(z.array(z.string())),
  persona_id: z.nullable(z.string()),
  model_id: z.nullable(z.string()),
  context_ids: z.nullable(z.array(z.string())),
  /** Orders its creator's own, the lowest first. */
  position: z.number(),
  /** How often the reader used it, and when last. */
  uses: z.number(),
  last_used_at: z.nullable(Timestamp),
  created_at: Timestamp,
  updated_at: Timestamp,
});
export type PromptSummary = z.infer<typeof PromptSummary>;

export const Prompt = z.extend(PromptSummary, { content: z.string() });
export type Prompt = z.infer<typeof Prompt>;
