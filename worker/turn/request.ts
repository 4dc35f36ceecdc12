import * as z from "zod/mini";
import type { TurnStarted } from "#shared/contracts/chat/messages.ts";
import type { KnowledgeLook } from "#shared/entities/library/knowledge-look.ts";
import { Autopilot } from "#shared/entities/autopilot.ts";
import { ChatSettings, ChatSettingsChange, NO_SETTINGS } from "#shared/entities/chat-settings.ts";
import { MessageMessaging } from "#shared/entities/outbound/messaging.ts";
import { StoredMail } from "./mail-text.ts";
import { ToolSettings } from "#shared/entities/tool-setting.ts";
import { PrivateSource } from "./private-source.ts";

/** Who asks the room: the room itself decides what they may. */
const Reader = z.object({
  userId: z.string(),
  displayName: z.string(),
  sessionId: z.string(),
  /** When the session ends unless it is used again, in epoch milliseconds, where that is known. */
  endsAt: z.optional(z.number()),
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
  /** What a token may cost where no price is known; null where nobody names prices. */
  assumedPrice: z._default(z.nullable(z.object({ prompt: z.number(), completion: z.number() })), null),
  /** What it costs besides, in US dollars: a request, a picture, a token that is kept for later and one that is thought; null where that is nothing. */
  fees: z._default(
    z.nullable(z.object({ request: z.number(), picture: z.number(), keptToken: z.number(), thoughtToken: z.number() })),
    null,
  ),
  /** The most tokens that it writes at a time. */
  maxOutput: z._default(z.nullable(z.number()), null),
  /** Whether it can call tools. */
  tools: z._default(z.boolean(), false),
  /** Whether it sees pictures, and whether it takes PDFs as they are. */
  vision: z._default(z.boolean(), false),
  takesFiles: z._default(z.boolean(), false),
});
export type TurnModel = z.infer<typeof TurnModel>;

/** What a room is created with. */
const NewChat = z.object({
  ownerId: z.string(),
  title: z.string(),
  settings: z._default(ChatSettings, NO_SETTINGS),
  createdAt: z.string(),
  /** The team in whose workspace it begins, with which the database has it shared already. */
  teamId: z._default(z.nullable(z.string()), null),
});
export type NewChat = z.infer<typeof NewChat>;

/** What the turn's reader set about tools; `categories` are those that the product chose, null leaves the chat's own. */
const ToolChoice = z.object({ categories: z.nullable(z.array(z.string())), settings: ToolSettings });
export type ToolChoice = z.infer<typeof ToolChoice>;

const TurnSchedule = z.object({
  id: z.string(),
  title: z.string(),
  words: z.string(),
  page: z.nullable(z.string()),
  budgetMicros: z.nullable(z.number()),
});
export type TurnSchedule = z.infer<typeof TurnSchedule>;

const common = {
  chatId: z.string(),
  reader: Reader,
  model: TurnModel,
  tools: z._default(ToolChoice, { categories: null, settings: {} }),
  /** What the chat is set to from now on. */
  settings: z._default(ChatSettingsChange, {}),
  /** The reader's default persona. */
  defaultPersonaId: z._default(z.nullable(z.string()), null),
  /** What of its reader's own it may use, as the door that it came through allows: whatever gives a model something, or shows it what was read before, holds to this. */
  sources: z._default(z.array(PrivateSource), []),
  /** Whether the reader's memory goes along, and whether the model may save to it: not where nobody typed the message. */
  memory: z._default(z.enum(["off", "read", "save"]), "off"),
  /** Days that a call waits for the reader's word; null where the deployment's number holds. */
  approvalDays: z._default(z.nullable(z.number()), null),
  /** What holds for this turn alone. */
  once: z._default(ChatSettingsChange, {}),
  /** What the product chose, where it was left to it: the chat leaves the next turn to it too. */
  autopilot: z._default(z.nullable(Autopilot), null),
  titleModel: z.nullable(z.string()),
  /** The id of the reply that a new message would get. */
  replyId: z.string(),
  /** SHA-256 of what was asked: the same id with another hash is refused. */
  hash: z.string(),
  /**
   * What the row of the reader's session said, as a digest, and when it was read for this turn and until when that may be relied on (epoch
   * ms): where it was not, the reader's hub has to know it. Absent where no browser asks.
   */
  session: z.optional(z.object({ digest: z.string(), row: z.nullable(z.object({ at: z.number(), until: z.number() })) })),
};

/** Ids of uploaded files, in order; of an edit without any the earlier version's. */
const Attachments = z.optional(z.array(z.string()));

/** One turn, whatever door it came through; stored until it settles, so a new life of the room can take it up. */
export const TurnRequest = z.discriminatedUnion("kind", [
  z.object({
    ...common,
    kind: z.literal("send"),
    id: z.string(),
    parentId: z.nullable(z.string()),
    content: z.string(),
    attachments: Attachments,
    create: z.nullable(NewChat),
    /** The mail that it came as. */
    mail: z.optional(StoredMail),
    /** How it came in by the messaging app. */
    messaging: z.optional(MessageMessaging),
    /** True where nobody typed it: what acts outside asks, whatever is always allowed. */
    asksAlways: z.optional(z.boolean()),
    /** The schedule that sends it, in words; `page` is the one whose changes it reports, `budgetMicros` what all of the turn may cost. */
    schedule: z.optional(TurnSchedule),
    /** True where another program wrote it: the same holds. */
    isByKey: z.optional(z.boolean()),
  }),
  z.object({ ...common, kind: z.literal("edit"), id: z.string(), messageId: z.string(), content: z.string(), attachments: Attachments }),
  z.object({ ...common, kind: z.literal("regenerate"), id: z.string(), messageId: z.string() }),
  z.object({ ...common, kind: z.literal("continue"), messageId: z.string() }),
]);
export type TurnRequest = z.infer<typeof TurnRequest>;

/** A turn whose session's row was not read. In a form of its own: a room of the version before must not take it for one whose was. */
export const ReliantTurn = z.object({ reliant: TurnRequest });
export type ReliantTurn = z.infer<typeof ReliantTurn>;

/** True where the session's row was not read for a turn. */
export function isReliant({ session }: TurnRequest): boolean {
  return session !== undefined && session.row === null;
}

/** A turn as a Worker sends it. */
export function readTurn(given: unknown): TurnRequest {
  const { data } = ReliantTurn.safeParse(given);
  return data?.reliant ?? TurnRequest.parse(given);
}

/** A turn that a room has begun; the persona's name where the reply is a new one that speaks as one. */
export type BegunTurn = { messageId: string; replyId: string; persona?: string; knowledge?: KnowledgeLook };

/** What the person who asked for a turn learns about it. */
export function startedTurn({ kind, autopilot }: TurnRequest, begun: BegunTurn): TurnStarted {
  return { ...begun, ...(kind !== "continue" && autopilot && { autopilot }) };
}
