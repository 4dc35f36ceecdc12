import * as z from "zod/mini";
import type { ChatSettings, ChatSettingsChange } from "#shared/entities/chat-settings.ts";
import { Chat, type ChatDetails } from "#shared/entities/chat.ts";
import type { Message, MessageStatus } from "#shared/entities/message.ts";

export type MessagePage = { messages: Message[]; nextCursor: string | null };
export type PageRequest = { before?: string | undefined; around?: string | undefined; limit: number };

export type ChatPatch = {
  title?: string | undefined;
  public?: boolean | undefined;
} & ChatSettingsChange;

/** How often someone or a reply has added to a chat, and who did last: null for a reply. Hubs tell by it what their user has not seen. */
const Activity = z.object({ seq: z.number(), by: z.nullable(z.string()) });
export type Activity = z.infer<typeof Activity>;

/** The part of a chat that is the same for all its readers; a hub adds its user's own marks. */
export const ChatRow = z.extend(z.omit(Chat, { isPinned: true, isRead: true, archived: true, lastMessageSender: true }), {
  /** The person who wrote the last message; null where it is a model's. */
  lastSender: z.nullable(z.object({ id: z.string(), name: z.string() })),
  activity: z._default(Activity, { seq: 0, by: null }),
  /** A reply waits for a person's word: it streams nothing, and whoever follows it stays connected. */
  isWaiting: z._default(z.boolean(), false),
});
export type ChatRow = z.infer<typeof ChatRow>;
export type RoomDetails = ChatSettings & Pick<ChatDetails, "cost" | "forked_from"> & { row: ChatRow };

/** What was paid for: a reply's last call to its model (which ends its reservation), an earlier round of it, what a tool of it asked for, or a chat's own needs. */
export const ChargeKind = z.enum(["reply", "round", "tool", "title", "summary", "compaction", "transcription"]);
export type ChargeKind = z.infer<typeof ChargeKind>;

/** One call to the aggregator or a provider and what it cost in micro-dollars; entered once, by its id. */
export type Charge = {
  callId: string;
  /** The reply it was made for. */
  replyId: string;
  chatId: string;
  what: ChargeKind;
  modelId: string;
  amountMicros: number;
  isHouse: boolean;
};

/** The id of a reply's last call to its model, by which it is charged once: it holds the generation that it ends. */
export function replyCallId({ replyId, generation }: { replyId: string; generation: number }, rounds: number): string {
  return `${replyId}:${generation}:${rounds}`;
}

/** The generation that such a call ended. */
export function generationOf(callId: string): number {
  return Number(callId.split(":")[1] ?? 0);
}

/** A row as it stands at a version, and what its reader has to pay; hubs drop rows older than they have. */
export type ChatReport = { row: ChatRow; version: number; news: ChatNews[]; charges: Charge[] };

/** What happened, told to the readers' open tabs along with the row. */
export type ChatNews =
  | { type: "reply.started"; messageId: string; replyId: string }
  /** `research` says how a deep research ended, and for whom it was done. */
  | { type: "reply.ended"; replyId: string; research?: { status: MessageStatus; user_id: string } }
  | { type: "todo.changed" }
  | { type: "queue.changed" };
