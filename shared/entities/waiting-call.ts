import * as z from "zod/mini";
import { Id, Timestamp } from "./ids.ts";
import { ToolCall } from "./tool-call.ts";

/** A tool call that waits for the caller's word, wherever it was made. */
export const WaitingCall = z.object({
  chat: z.object({ id: Id, title: z.string() }),
  /** The reply that goes on with the decision. */
  message_id: Id,
  call: ToolCall,
  since: Timestamp,
  /** When it is discarded; null for one that waits without an end. */
  expires_at: z.nullable(Timestamp),
});
export type WaitingCall = z.infer<typeof WaitingCall>;

/** A mail of a sender whom nobody has decided about, wherever it came in. */
export const WaitingMail = z.object({
  chat: z.object({ id: Id, title: z.string() }),
  mail: z.object({
    id: Id,
    from_addr: z.string(),
    from_name: z.string(),
    subject: z.string(),
    /** True where it is proven to be from that address. */
    is_proven: z.boolean(),
  }),
  since: Timestamp,
  /** When it is deleted. */
  expires_at: Timestamp,
});
export type WaitingMail = z.infer<typeof WaitingMail>;

/** An answer to a mail that was written with what is the caller's alone, and goes out by their word. */
export const WaitingAnswer = z.object({
  chat: z.object({ id: Id, title: z.string() }),
  /** The reply that it is. */
  message_id: Id,
  mail: z.object({ id: Id, to: z.array(z.string()), subject: z.string() }),
  since: Timestamp,
});
export type WaitingAnswer = z.infer<typeof WaitingAnswer>;

/** A call that waited for the caller's word, as it was decided; one that ended with its reply has no decision. */
export const DecidedCall = z.object({
  chat: z.object({ id: Id, title: z.string() }),
  message_id: Id,
  call: ToolCall,
  decided_at: Timestamp,
});
export type DecidedCall = z.infer<typeof DecidedCall>;
