import type { MessageStatus } from "#shared/entities/message.ts";

/** A chat's state before something is sent to it, and what became of a message that was sent. */
export type TurnStatus = {
  /** The end of the reader's branch. */
  leafId: string | null;
  /** The model that the chat is set to. */
  modelId: string | null;
  /** The reply to the message; null for one that is not there. The text comes once it has settled. */
  reply: { id: string; status: MessageStatus; text: string; costMicros: number | null; error: string | null } | null;
};
