import type { ChatSettingsChange } from "#shared/entities/chat-settings.ts";
import type { MessageMessaging } from "#shared/entities/outbound/messaging.ts";

/** A message that waits its turn. `requestId` is that of the first message which the same request became. */
export type QueueItem = {
  id: string;
  requestId: string;
  authorId: string;
  authorName: string;
  /** Where a guest wrote from, as guests are limited by it too; null for an account's. */
  ip: string | null;
  content: string;
  settings: ChatSettingsChange;
  /** What holds for this message alone. */
  once: ChatSettingsChange;
  attachments: string[];
  chain: { step: number; steps: number } | null;
  /** The mail that it came as. */
  mailId: string | null;
  /** How it came in by the messaging app. */
  messaging: MessageMessaging | null;
  createdAt: string;
};

/** A message that is to wait, as the steps that it is sent in; `hash` is of all that was asked. */
export type QueueInput = Pick<QueueItem, "id" | "ip" | "settings" | "once" | "attachments"> & {
  steps: string[];
  hash: string;
  /** The last message that its writer saw, where that matters. */
  afterId?: string | undefined;
};
