import * as z from "zod/mini";
import { Attachment } from "./attachment.ts";
import { ChatSettingsChange } from "./chat-settings.ts";
import { Id, Timestamp } from "./ids.ts";

/** A message that waits its turn in a chat. */
export const QueuedMessage = z.object({
  id: Id,
  content: z.string(),
  /** Who wrote it, and alone may change it. */
  author: z.object({ id: Id, display_name: z.string() }),
  /** What it is sent with; what is not named is the chat's. */
  ...ChatSettingsChange.shape,
  attachments: z.array(Attachment),
  /** Its place in the chain it is part of, e.g. step 2 of 5. */
  chain: z.nullable(z.object({ id: Id, step: z.number(), steps: z.number() })),
  created_at: Timestamp,
});
export type QueuedMessage = z.infer<typeof QueuedMessage>;

/** Why nothing is sent until someone resumes: a code of the errors, or `PAUSED`, `REPLY_STOPPED`, `REPLY_FAILED`; and a sentence. */
export const QueuePause = z.object({ code: z.string(), message: z.string() });
export type QueuePause = z.infer<typeof QueuePause>;

/** All that waits its turn in a chat, in order. */
export const MessageQueue = z.object({ items: z.array(QueuedMessage), paused: z.nullable(QueuePause) });
export type MessageQueue = z.infer<typeof MessageQueue>;
