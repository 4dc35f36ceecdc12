import * as z from "zod/mini";
import { Id } from "#shared/entities/ids.ts";
import { MessageQueue } from "#shared/entities/queued-message.ts";
import { QUEUE_LENGTH } from "#shared/limits.ts";
import { ChatParams } from "./chats.ts";
import { endpoint } from "#shared/contracts/endpoint.ts";
import { AttachmentIds, MessageText, saysSomething, TurnSettings } from "./messages.ts";

export const readQueue = endpoint("GET", "/api/chat/:id/queue", {
  summary: "The messages that wait their turn, in order, and why none is sent",
  access: "user",
  action: "queue",
  params: ChatParams,
  response: MessageQueue,
});

const Step = MessageText.check(z.refine((text) => text.trim() !== "", "Write a message first."));

export const addToQueue = endpoint("POST", "/api/chat/:id/queue", {
  summary:
    "Let a message wait until the replies before it are done. As a chain it waits as several, split at lines of `---` or given by `next_steps`. A step has `{{LAST_ANSWER}}` filled in as it is sent",
  access: "user",
  action: "queue",
  repeat: "id",
  params: ChatParams,
  body: z
    .object({
      /** The message's own id; of a chain the first step's. */
      id: Id,
      /** The last message that its writer sees: where it would go at once and others came since, it is refused. */
      after_id: z.optional(Id),
      content: MessageText,
      attachments: z.optional(AttachmentIds),
      ...TurnSettings.shape,
      chain: z.optional(z.boolean()),
      /** The steps after this one, as they will be sent: a chain that is split already. */
      next_steps: z.optional(z.array(Step).check(z.maxLength(QUEUE_LENGTH))),
    })
    .check(saysSomething),
  /** The ids of the messages it became, in order. */
  response: z.object({ ids: z.array(Id) }),
  status: 202,
});

const QueueChange = z.object({
  /** False resumes. */
  paused: z.optional(z.boolean()),
  /** The caller's own messages in their new order; they keep the places that they hold among others'. */
  order: z.optional(z.array(Id).check(z.maxLength(QUEUE_LENGTH))),
  /** Another text for one of the caller's own messages. */
  edit: z.optional(z.object({ id: Id, content: MessageText })),
  /** Stops the reply in progress and sends this one of the caller's own next. */
  send_now: z.optional(Id),
});
export type QueueChange = z.infer<typeof QueueChange>;

export const changeQueue = endpoint("PATCH", "/api/chat/:id/queue", {
  summary: "Pause or resume, reorder, edit, or send one now",
  access: "user",
  action: "queue",
  params: ChatParams,
  body: QueueChange,
  response: MessageQueue,
});

export const removeFromQueue = endpoint("DELETE", "/api/chat/:id/queue", {
  summary: "Take one message out, or all of the caller's own; the owner may take out anybody's",
  access: "user",
  action: "queue",
  params: ChatParams,
  query: z.object({ item: z.optional(Id) }),
  response: MessageQueue,
});
