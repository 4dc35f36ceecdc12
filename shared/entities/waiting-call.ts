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
