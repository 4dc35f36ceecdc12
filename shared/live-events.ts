import * as z from "zod/mini";
import { Chat } from "./entities/chat.ts";
import { Id } from "./entities/ids.ts";
import { MemoryImport } from "./entities/memory.ts";
import { MessageStatus } from "./entities/message.ts";

/** Somebody who looks at a shared chat. */
export const PresentPerson = z.object({ user_id: Id, display_name: z.string(), typing: z.boolean() });
export type PresentPerson = z.infer<typeof PresentPerson>;

/** What a user keeps beside chats; folders and tags are one kind. */
export const ContentKind = z.enum(["persona", "prompt", "knowledge", "invite", "memory", "tools", "schedule", "folder"]);
export type ContentKind = z.infer<typeof ContentKind>;

/** Small news for every tab of a user, each with a cursor that a reconnecting socket sends back. */
export const LiveEvent = z.discriminatedUnion("type", [
  /** The first frame: where the log stands. `reset` makes the tab refetch all, as the gap is too long. */
  z.object({ type: z.literal("hello"), cursor: z.string(), reset: z.boolean(), version: z.string() }),
  z.object({ type: z.literal("chat.changed"), cursor: z.string(), chat: Chat }),
  /** `why` is there where it went with its owner's account, and then what it was called, empty for whoever hears of it later. */
  z.object({
    type: z.literal("chat.deleted"),
    cursor: z.string(),
    chat_id: Id,
    why: z.optional(z.literal("account")),
    title: z.optional(z.string()),
  }),
  /** Messages of a chat changed (sent, edited, regenerated): a tab that shows it refetches or follows `reply_id`. */
  z.object({ type: z.literal("reply.started"), cursor: z.string(), chat_id: Id, message_id: Id, reply_id: Id }),
  /** `research` is how a deep research ended and for whom it was done; absent for every other reply. */
  z.object({
    type: z.literal("reply.ended"),
    cursor: z.string(),
    chat_id: Id,
    reply_id: Id,
    research: z.optional(z.object({ status: MessageStatus, user_id: Id })),
  }),
  /** The chat's todo list changed: a tab that shows it reads it again. */
  z.object({ type: z.literal("todo.changed"), cursor: z.string(), chat_id: Id }),
  /** What the chat's tool calls set going outside stands otherwise: a tab that shows it reads it again. */
  z.object({ type: z.literal("runs.changed"), cursor: z.string(), chat_id: Id }),
  /** The chat's mails changed: a tab that shows them reads them again. */
  z.object({ type: z.literal("mails.changed"), cursor: z.string(), chat_id: Id }),
  /** The messages that wait their turn in the chat changed. */
  z.object({ type: z.literal("queue.changed"), cursor: z.string(), chat_id: Id }),
  /** Which calls wait for this person's word changed, in some chat; `count` is how many there are now. */
  z.object({ type: z.literal("approvals.changed"), cursor: z.string(), count: z.number() }),
  /** Many rows changed at once: lists are read again. */
  z.object({ type: z.literal("chats.changed"), cursor: z.string() }),
  /** How far a deletion of many chats is; it is over once `done` and `failed` make up `total`. Failed chats are back in the list. */
  z.object({ type: z.literal("bulk.progress"), cursor: z.string(), job_id: Id, done: z.number(), failed: z.number(), total: z.number() }),
  /** Who looks at a shared chat now, oneself included; sent to tabs that show it, and never caught up on. */
  z.object({ type: z.literal("presence.changed"), cursor: z.string(), chat_id: Id, people: z.array(PresentPerson), count: z.number() }),
  /** In another tab of this person another version was chosen: the path they look at leads through it. */
  z.object({ type: z.literal("version.selected"), cursor: z.string(), chat_id: Id, message_id: Id }),
  /** The balance in US dollars after a charge or a grant. */
  z.object({ type: z.literal("credits.changed"), cursor: z.string(), credits: z.number() }),
  /** What the user spent this month in a team where they have a budget, in US dollars. */
  z.object({ type: z.literal("budget.changed"), cursor: z.string(), team_id: Id, name: z.string(), spent: z.number(), budget: z.number() }),
  z.object({ type: z.literal("user.changed"), cursor: z.string() }),
  /** Somebody in a chat with this person has another name or picture. */
  z.object({ type: z.literal("people.changed"), cursor: z.string() }),
  /** Which teams the user is in, or what is known of one of them, changed. */
  z.object({ type: z.literal("teams.changed"), cursor: z.string() }),
  /** Something of what the user keeps changed: tabs read that kind again. */
  z.object({ type: z.literal("content.changed"), cursor: z.string(), kind: ContentKind }),
  /** An artifact that the user may read is new, changed or no longer theirs: lists are read again, and an open one takes over what changed. */
  z.object({
    type: z.literal("artifact.changed"),
    cursor: z.string(),
    artifact_id: Id,
    /** The latest version; null where the artifact is gone, or no longer the user's to read. */
    version: z.nullable(z.number()),
  }),
  /** How far a list of facts is that is being imported; over once `state` says so. */
  z.object({ type: z.literal("memory.import"), cursor: z.string(), import: MemoryImport }),
  /** This session ended: signed out here or everywhere. */
  z.object({ type: z.literal("session.ended"), cursor: z.string() }),
]);
export type LiveEvent = z.infer<typeof LiveEvent>;
