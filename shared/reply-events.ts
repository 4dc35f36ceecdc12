import * as z from "zod/mini";
import { Autopilot } from "./entities/autopilot.ts";
import { Compaction } from "./entities/compaction.ts";
import { Id } from "./entities/ids.ts";
import { KnowledgeLook } from "./entities/library/knowledge-look.ts";
import { Citation, MessageError, MessageStatus, MessageUsage } from "./entities/message.ts";
import { ToolCall, ToolPart } from "./entities/tool-call.ts";

/** The turn's model is known (the router's choice for `auto`). */
const ModelEvent = z.object({ type: z.literal("model"), model_id: z.string() });

/** A piece of the reasoning; `ms` is its duration so far. */
const ReasoningEvent = z.object({ type: z.literal("reasoning"), text: z.string(), ms: z.number() });

/** Opens a generation: text and reasoning continue from these lengths (UTF-16 units); what a reader holds beyond them is dropped. */
const ReplaceEvent = z.object({ type: z.literal("replace"), text: z.number(), reasoning: z.number() });

/** The model is being asked again after a passing failure. */
const RetryEvent = z.object({ type: z.literal("retry"), attempt: z.number(), reason: z.string() });

/** A tool call as it now stands, its parts included: it takes the place of what a reader holds under its id, or comes after all others. */
const ToolEvent = z.object({ type: z.literal("tool"), call: ToolCall });

/** A call's part as it now stands, but its text, which is a piece to add to what a reader holds of it. */
const ToolPartEvent = z.object({ type: z.literal("tool_part"), call_id: Id, part: z.omit(ToolPart, { text: true }), text: z.string() });

/** All sources that the answer can cite so far, in the order of their numbers. */
const CitationsEvent = z.object({ type: z.literal("citations"), citations: z.array(Citation) });

/** Earlier messages are being summarised, or were, before the model is asked. */
const CompactionEvent = z.object({ type: z.literal("compaction"), compaction: Compaction });

/** The last event of a stream: how the turn ended. `text` is the full text's length, to check against. */
const SettledEvent = z.object({
  type: z.literal("settled"),
  message_id: Id,
  status: MessageStatus,
  text: z.number(),
  model_id: z.nullable(z.string()),
  reasoning_ms: z.nullable(z.number()),
  citations: z.array(Citation),
  cost: z.nullable(z.number()),
  usage: z.nullable(MessageUsage),
  finish_reason: z.nullable(z.string()),
  error: z.nullable(MessageError),
});

const StructuredEvent = z.discriminatedUnion("type", [
  ModelEvent,
  ReasoningEvent,
  ReplaceEvent,
  RetryEvent,
  ToolEvent,
  ToolPartEvent,
  CitationsEvent,
  CompactionEvent,
  SettledEvent,
]);

/** The turn that an answer begins, before its reply's own events: the user's message and the reply. It has no position. */
export const AcceptedEvent = z.object({
  type: z.literal("accepted"),
  messageId: Id,
  replyId: Id,
  /** What was chosen, where the product chose. */
  autopilot: z.optional(Autopilot),
  /** The name of the persona that the reply speaks as. */
  persona: z.optional(z.string()),
  /** What was looked into of the chat's knowledge. */
  knowledge: z.optional(KnowledgeLook),
});
export type AcceptedEvent = z.infer<typeof AcceptedEvent>;

/** What a reply's stream consists of. On the wire a bare JSON string is a piece of text, which keeps the frames small. */
export type ReplyEvent = { type: "text"; text: string } | z.infer<typeof StructuredEvent>;
export type SettledEvent = z.infer<typeof SettledEvent>;
export type ToolEvent = z.infer<typeof ToolEvent>;
export type ToolPartEvent = z.infer<typeof ToolPartEvent>;

/** The `data:` of an event. */
export function encodeReplyEvent(event: ReplyEvent): string {
  return JSON.stringify(event.type === "text" ? event.text : event);
}

/** The event in a `data:` line, or null when it is of no known kind (a newer server's). */
export function decodeReplyEvent(data: string): ReplyEvent | null {
  const value: unknown = JSON.parse(data);
  if (typeof value === "string") return { type: "text", text: value };
  const parsed = StructuredEvent.safeParse(value);
  return parsed.success ? parsed.data : null;
}
