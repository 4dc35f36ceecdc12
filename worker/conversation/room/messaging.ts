import type { MessageMessaging } from "#shared/entities/outbound/messaging.ts";
import type { RoomFile } from "#worker/library/attachments/room-file.ts";

/** A message that came in by the messaging app: `messageId` is the app's own id, `id` the one that it has in the chat. */
export type TakenMessage = {
  id: string;
  messageId: string;
  userId: string;
  displayName: string;
  content: string;
  files: RoomFile[];
  messaging: MessageMessaging;
};

/** What the app says became of a message of ours: `reference` is the one that it went out with, `error` why it failed. */
export type MessagingStatus = {
  reference: string;
  messageId: string;
  status: "sent" | "delivered" | "read" | "failed";
  error: { code: number; details: string } | null;
};

/** What a room is asked about the messaging app. */
export type MessagingInput =
  | { kind: "take"; message: TakenMessage }
  /** Its writer changed a message, or with null took it back. */
  | { kind: "rewrite"; userId: string; messageId: string; text: string | null }
  /** A text that may be the word that a call waits for; `about` is the message that it answers, `at` when it was sent in epoch milliseconds. */
  | { kind: "answer"; userId: string; name: string; text: string; about: string | null; identity: string; at: number }
  | { kind: "press"; userId: string; token: string; isApproved: boolean; identity: string }
  | { kind: "status"; status: MessagingStatus }
  /** Somebody wrote again, so what waits for them may go out. */
  | { kind: "flush"; userId: string }
  /** Somebody has no number any more: what waits for them is given up. */
  | { kind: "unlinked"; userId: string };

/**
 * `waits`: taken, but a call waits for a word first. `done`: what was asked is done. `none`: it is no answer to anything. `gone`: there is no
 * such chat, call or message. `stale`: the call was decided already, `reason` is how, as a sentence.
 */
export type MessagingAnswer =
  | { kind: "taken" | "waits" | "repeat" | "full" | "refused" | "gone" | "none" | "done" }
  | { kind: "stale"; title: string; reason: string };
