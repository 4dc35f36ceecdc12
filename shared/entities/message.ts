import * as z from "zod/mini";
import { Attachment } from "./attachment.ts";
import { Autopilot } from "./autopilot.ts";
import { Compaction } from "./compaction.ts";
import { Id, Timestamp } from "./ids.ts";
import { KnowledgeLook } from "./library/knowledge-look.ts";
import { AnswerMail, MessageMail } from "./mail.ts";
import { AnswerMessaging, MessageMessaging } from "./outbound/messaging.ts";
import { ToolCall } from "./tool-call.ts";

/** `accepted`, `streaming` and `waiting` are live; the others are settled. */
export const MessageStatus = z.enum(["accepted", "streaming", "waiting", "done", "stopped", "failed", "interrupted"]);
export type MessageStatus = z.infer<typeof MessageStatus>;

/** What a reader can do about a failed turn; the error block offers exactly this. */
export const ErrorAction = z.enum(["retry", "switch_model", "wait", "add_credits", "shorten", "sign_in", "none"]);
export type ErrorAction = z.infer<typeof ErrorAction>;

/** Why a turn failed: a stable code, one plain sentence, one action. `retryAfter` is seconds. */
export const MessageError = z.object({
  code: z.string(),
  message: z.string(),
  action: ErrorAction,
  retryAfter: z.nullable(z.number()),
});
export type MessageError = z.infer<typeof MessageError>;

/** Tokens and milliseconds of a reply. */
export const MessageUsage = z.object({
  prompt_tokens: z.number(),
  completion_tokens: z.number(),
  reasoning_tokens: z.number(),
  /** Of the prompt's: what its provider had kept from an earlier request, and what it keeps from now on. */
  cached_tokens: z.optional(z.number()),
  cache_write_tokens: z.optional(z.number()),
  duration_ms: z.number(),
});
export type MessageUsage = z.infer<typeof MessageUsage>;

export const Citation = z.object({ url: z.string(), title: z.nullable(z.string()) });
export type Citation = z.infer<typeof Citation>;

export const Message = z.object({
  id: Id,
  chat_id: Id,
  parent_id: z.nullable(Id),
  role: z.enum(["user", "assistant"]),
  /** Markdown. */
  content: z.string(),
  /** The person; null for an assistant's message. */
  author: z.nullable(z.object({ id: Id, display_name: z.string() })),
  /** The model that answered; until that is known, the one that was asked. */
  model_id: z.nullable(z.string()),
  /** The model that was asked: `auto` where the router chose. */
  requested_model_id: z.nullable(z.string()),
  status: MessageStatus,
  reasoning: z.nullable(z.string()),
  reasoning_ms: z.nullable(z.number()),
  tool_calls: z.array(ToolCall),
  attachments: z.array(Attachment),
  citations: z.array(Citation),
  /** US dollars; null while unknown. */
  cost: z.nullable(z.number()),
  usage: z.nullable(MessageUsage),
  /** Why the provider ended it: `stop`, `length`, `content_filter`; null while unknown. */
  finish_reason: z.nullable(z.string()),
  error: z.nullable(MessageError),
  /** Of an answer for which the messages before it were summarised. */
  compaction: z.optional(Compaction),
  /** Of an answer whose model and tools the product chose. */
  autopilot: z.optional(Autopilot),
  /** The name of the persona that an answer speaks as, where there is one. */
  persona: z.optional(z.string()),
  /** Of an answer with which facts of the reader's own memory went along: their ids. */
  memory_ids: z.optional(z.array(z.string())),
  /** Of an answer whose turn looked into the chat's knowledge. */
  knowledge: z.optional(KnowledgeLook),
  /** Of a message that came by mail. */
  mail: z.optional(MessageMail),
  /** The mail that an answer went out as. */
  answer_mail: z.optional(AnswerMail),
  /** Of a message that came by the messaging app. */
  messaging: z.optional(MessageMessaging),
  /** How an answer went out by it. */
  answer_messaging: z.optional(AnswerMessaging),
  /** Of an answer to what nobody typed in the interface. */
  trigger: z.optional(z.enum(["mail", "run", "schedule", "messaging"])),
  /** Of a research that goes on: when it would have begun, had it been worked on without a break. */
  working_since: z.optional(Timestamp),
  /** All versions at this place, oldest first, this one included. */
  sibling_ids: z.array(Id),
  created_at: Timestamp,
});
export type Message = z.infer<typeof Message>;
