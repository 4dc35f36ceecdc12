import * as z from "zod/mini";

/** What a chat's message shows of how it came in by the messaging app; `note` is what there is to know about its turn, as a sentence. */
export const MessageMessaging = z.object({
  app: z.literal("whatsapp"),
  /** The number that it came from, as E.164; null for everybody but who wrote it. */
  from: z.nullable(z.string()),
  kind: z.enum(["text", "voice", "picture", "file", "place", "contact", "sticker"]),
  is_forwarded: z.boolean(),
  note: z.nullable(z.string()),
});
export type MessageMessaging = z.infer<typeof MessageMessaging>;

/** How far an answer came: `waiting` where a day has passed since its reader last wrote, and they were notified that it waits. */
export const MessagingState = z.enum(["queued", "waiting", "sent", "delivered", "read", "failed"]);
export type MessagingState = z.infer<typeof MessagingState>;

/** The message of the app that an answer went out as; `note` is why it was not sent. */
export const AnswerMessaging = z.object({ state: MessagingState, note: z.nullable(z.string()) });
export type AnswerMessaging = z.infer<typeof AnswerMessaging>;
