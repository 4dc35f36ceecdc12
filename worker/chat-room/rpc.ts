import * as z from "zod/mini";
import type { Attachment } from "#shared/entities/attachment.ts";
import { Autopilot } from "#shared/entities/autopilot.ts";
import { Chat, type ChatDetails } from "#shared/entities/chat.ts";
import type { Message, MessageStatus } from "#shared/entities/message.ts";
import { ToolSettings } from "#shared/entities/tool-setting.ts";

/** Who asks the room: the room itself decides what they may. */
const Reader = z.object({
  userId: z.string(),
  displayName: z.string(),
  sessionId: z.string(),
  /** True for a guest: the house pays. */
  anonymous: z.boolean(),
});
export type Reader = z.infer<typeof Reader>;

/** The model of a turn as the aggregator takes it, with what is needed to compute a cost it doesn't report. Prices are US dollars per token. */
const TurnModel = z.object({
  /** What was asked: a model's id, or `auto`. */
  requestedId: z.string(),
  /** What the aggregator is asked for. */
  aggregatorId: z.string(),
  /** Ids the router may choose from; null for all of them, or where no router is asked. */
  routerModels: z.nullable(z.array(z.string())),
  contextLength: z.nullable(z.number()),
  promptPrice: z.nullable(z.number()),
  completionPrice: z.nullable(z.number()),
  /** Whether it can call tools. */
  tools: z._default(z.boolean(), false),
  /** Whether it sees pictures, and whether it takes PDFs as they are. */
  vision: z._default(z.boolean(), false),
  takesFiles: z._default(z.boolean(), false),
});
export type TurnModel = z.infer<typeof TurnModel>;

/** What a room is founded with. */
const NewChat = z.object({
  ownerId: z.string(),
  title: z.string(),
  modelId: z.nullable(z.string()),
  toolCategories: z._default(z.array(z.string()), []),
  createdAt: z.string(),
});
export type NewChat = z.infer<typeof NewChat>;

/** What the turn's reader set about tools; `categories` replace the chat's own, null leaves those. */
const ToolChoice = z.object({ categories: z.nullable(z.array(z.string())), settings: ToolSettings });
export type ToolChoice = z.infer<typeof ToolChoice>;

const common = {
  chatId: z.string(),
  reader: Reader,
  model: TurnModel,
  tools: z._default(ToolChoice, { categories: null, settings: {} }),
  /** What the product chose, where it was left to it: the chat leaves the next turn to it too. */
  autopilot: z._default(z.nullable(Autopilot), null),
  titleModel: z.nullable(z.string()),
  /** The id of the reply that a new message would get. */
  replyId: z.string(),
  /** SHA-256 of what was asked: the same id with another hash is refused. */
  hash: z.string(),
};

/** Ids of uploaded files, in order; of an edit without any the earlier version's. */
const Attachments = z.optional(z.array(z.string()));

/** One turn, whatever door it came through; stored until it settles, so that a new life of the room can take it up. */
export const TurnRequest = z.discriminatedUnion("kind", [
  z.object({
    ...common,
    kind: z.literal("send"),
    id: z.string(),
    parentId: z.nullable(z.string()),
    content: z.string(),
    attachments: Attachments,
    create: z.nullable(NewChat),
  }),
  z.object({ ...common, kind: z.literal("edit"), id: z.string(), messageId: z.string(), content: z.string(), attachments: Attachments }),
  z.object({ ...common, kind: z.literal("regenerate"), id: z.string(), messageId: z.string() }),
  z.object({ ...common, kind: z.literal("continue"), messageId: z.string() }),
]);
export type TurnRequest = z.infer<typeof TurnRequest>;

/** A file of the chat. `objectId` names its stored object; `characters` counts the text read of it, 0 where there is none. */
export type RoomFile = Omit<Attachment, "url"> & { objectId: string; characters: number; isWhole: boolean };

export type MessagePage = { messages: Message[]; nextCursor: string | null };
export type PageRequest = { before?: string | undefined; around?: string | undefined; limit: number };

export type ChatPatch = {
  title?: string | undefined;
  model_id?: string | null | undefined;
  tool_categories?: string[] | undefined;
  public?: boolean | undefined;
};

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
export type RoomDetails = Pick<ChatDetails, "model_id" | "tool_categories" | "cost" | "forked_from"> & { row: ChatRow };

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
