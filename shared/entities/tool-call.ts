import * as z from "zod/mini";
import { Id, Timestamp } from "./ids.ts";

/** `running` and `waiting` (for an approval) are live; the others are settled. */
export const ToolCallStatus = z.enum(["running", "waiting", "done", "failed", "discarded", "stopped"]);
export type ToolCallStatus = z.infer<typeof ToolCallStatus>;

/** A leg or a step of a call's work that readers see on its own, e.g. one model's answer within a synthesis. `text` is markdown. */
export const ToolPart = z.object({
  id: z.string(),
  title: z.string(),
  model_id: z.nullable(z.string()),
  text: z.string(),
  status: z.enum(["running", "done", "failed"]),
  /** US dollars; null while unknown and for a step that costs nothing. */
  cost: z.nullable(z.number()),
  /** Milliseconds that a model took; absent while it runs, and for a step of no model. */
  duration_ms: z.optional(z.number()),
});
export type ToolPart = z.infer<typeof ToolPart>;

/** An image that a tool found; `url` is the product's own (`/api/media/...`), never the foreign one. */
export const ToolImage = z.object({ url: z.string(), page_url: z.string(), title: z.nullable(z.string()) });
export type ToolImage = z.infer<typeof ToolImage>;

/** A page that a tool read or tried to; `error` says why it could not. */
export const ToolSource = z.object({ url: z.string(), title: z.nullable(z.string()), error: z.nullable(z.string()) });
export type ToolSource = z.infer<typeof ToolSource>;

/** What became of a call that asked first; `always` approves it and every later one of its tool. */
export const ToolDecision = z.enum(["approve", "discard", "always"]);
export type ToolDecision = z.infer<typeof ToolDecision>;

/**
 * Whose word a call waits for, or waited for: the person whose turn it is. `decision` is null until they gave it, and where nobody is
 * asked, as for a call that reads what is theirs alone.
 */
export const ToolApproval = z.object({
  user: z.object({ id: Id, display_name: z.string() }),
  decision: z.nullable(ToolDecision),
  /** True where it asks although its tool is always allowed: its model has read what others wrote. */
  isAskedAgain: z.optional(z.boolean()),
  /** Since when it waits, and when it is discarded unless someone decides before. */
  since: z.optional(Timestamp),
  expires_at: z.optional(Timestamp),
  /** True where nobody decided in time. */
  isExpired: z.optional(z.boolean()),
  /** True where it was discarded to be made otherwise. */
  isChangeAsked: z.optional(z.boolean()),
  /** True where it reaches somebody whom this chat has not written to: that is never allowed beforehand. */
  isNewRecipient: z.optional(z.boolean()),
});
export type ToolApproval = z.infer<typeof ToolApproval>;

/** One tool call of a reply, as readers see it. */
export const ToolCall = z.object({
  id: Id,
  /** The tool's id, e.g. `parallelWebSearch`. */
  tool: z.string(),
  /** The arguments as JSON; what was no valid JSON stands as the text it was. */
  input: z.unknown(),
  status: ToolCallStatus,
  /** Null for a call that asks nobody and reads nothing of anybody's own. */
  approval: z.nullable(ToolApproval),
  /** Where the call stands in the message's text, in UTF-16 units from its start. */
  at: z.number(),
  /** What the model got; null until then. */
  output: z.nullable(z.string()),
  sources: z.array(ToolSource),
  images: z.array(ToolImage),
  parts: z.array(ToolPart),
  /** US dollars on top of the model's own; null while unknown. */
  cost: z.nullable(z.number()),
  duration_ms: z.nullable(z.number()),
});
export type ToolCall = z.infer<typeof ToolCall>;
