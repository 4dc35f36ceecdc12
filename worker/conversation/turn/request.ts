import * as z from "zod/mini";
import type { TurnStarted } from "#shared/contracts/chat/messages.ts";
import type { KnowledgeLook } from "#shared/entities/library/knowledge-look.ts";
import { Autopilot } from "#shared/entities/autopilot.ts";
import { ChatSettingsChange } from "#shared/entities/chat-settings.ts";
import { MessageMessaging } from "#shared/entities/outbound/messaging.ts";
import { Reader } from "#worker/people/callers/reader.ts";
import { NewChat } from "#worker/people/room/new-chat.ts";
import { TurnModel } from "#worker/people/models/turn-model.ts";
import { StoredMail } from "./mail-text.ts";
import { ToolSettings } from "#shared/entities/tool-setting.ts";
import { PrivateSource } from "#worker/conversation/tools/private-source.ts";

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

/** How long its provider is asked to keep a turn's prompt: what mail, a schedule or the messaging app asks goes on after hours rather than minutes. */
export function promptLife(request: TurnRequest): "5m" | "1h" {
  return request.kind === "send" && (request.mail ?? request.schedule ?? request.messaging) ? "1h" : "5m";
}

/** A turn's model at the price of keeping its prompt for so long. */
export function modelAtPrice(request: TurnRequest): TurnModel {
  const { model } = request;
  if (!model.fees || promptLife(request) === "5m") return model;
  const { cacheWriteToken, cacheWriteHourToken } = model.fees;
  return { ...model, fees: { ...model.fees, cacheWriteToken: Math.max(cacheWriteToken, cacheWriteHourToken) } };
}

/** True where the session's row was not read for a turn. */
export function reliesOnSession({ session }: TurnRequest): boolean {
  return session !== undefined && session.row === null;
}

/** A turn that a room has begun; the persona's name where the reply is a new one that speaks as one. */
export type BegunTurn = { messageId: string; replyId: string; persona?: string; knowledge?: KnowledgeLook };

/** What the person who asked for a turn learns about it. */
export function startedTurn({ kind, autopilot }: TurnRequest, begun: BegunTurn): TurnStarted {
  return { ...begun, ...(kind !== "continue" && autopilot && { autopilot }) };
}
