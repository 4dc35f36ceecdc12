import * as z from "zod/mini";
import { AttachmentKind } from "./entities/attachment.ts";
import { ForkOrigin } from "./entities/chat.ts";
import { Id, Timestamp } from "./entities/ids.ts";
import { Citation, MessageError, MessageUsage } from "./entities/message.ts";
import { ToolDecision, ToolImage, ToolPart, ToolSource } from "./entities/tool-call.ts";

/** What an exported chat says it is; the version grows with every change that an older reader would not understand. */
export const EXPORT_FORMAT = "polylogue-chat";
export const EXPORT_VERSION = 1;

/** One tool call; `arguments` and `edited_input` are JSON as text, as the model and a person wrote them. Dollars and milliseconds. */
const ExportedCall = z.strictObject({
  tool: z.string(),
  arguments: z.string(),
  edited_input: z.nullable(z.string()),
  status: z.enum(["done", "failed", "discarded", "stopped"]),
  decision: z.nullable(ToolDecision),
  /** Where it stands in the message's text, in UTF-16 units. */
  at: z.number(),
  output: z.nullable(z.string()),
  sources: z.array(ToolSource),
  images: z.array(ToolImage),
  parts: z.array(ToolPart),
  cost: z.nullable(z.number()),
  duration_ms: z.nullable(z.number()),
});

/** Calls that were made at once, after the text and reasoning up to these places. */
const ExportedRound = z.strictObject({
  text_end: z.number(),
  reasoning_end: z.number(),
  reasoning_ms: z.number(),
  usage: z.nullable(MessageUsage),
  calls: z.array(ExportedCall),
});

const ExportedMessage = z.strictObject({
  id: Id,
  parent_id: z.nullable(Id),
  role: z.enum(["user", "assistant"]),
  content: z.string(),
  /** The person's name. */
  author: z.nullable(z.string()),
  model_id: z.nullable(z.string()),
  requested_model_id: z.nullable(z.string()),
  status: z.enum(["done", "stopped", "failed", "interrupted"]),
  reasoning: z.nullable(z.string()),
  reasoning_ms: z.nullable(z.number()),
  tool_rounds: z.array(ExportedRound),
  /** The files themselves are not part of it. */
  attachments: z.array(z.strictObject({ name: z.string(), type: z.string(), size: z.number(), kind: AttachmentKind })),
  citations: z.array(Citation),
  /** US dollars. */
  cost: z.nullable(z.number()),
  usage: z.nullable(MessageUsage),
  finish_reason: z.nullable(z.string()),
  error: z.nullable(MessageError),
  created_at: Timestamp,
});
export type ExportedMessage = z.infer<typeof ExportedMessage>;

/** A whole chat as a file: every branch, parents before children, and where it was looked at. */
export const ExportedChat = z.strictObject({
  format: z.literal(EXPORT_FORMAT),
  version: z.literal(EXPORT_VERSION),
  exported_at: Timestamp,
  title: z.string(),
  model_id: z.nullable(z.string()),
  tool_categories: z.array(z.string()),
  created_at: Timestamp,
  forked_from: z.nullable(ForkOrigin),
  head_id: z.nullable(Id),
  messages: z.array(ExportedMessage),
});
export type ExportedChat = z.infer<typeof ExportedChat>;
