import type { MessageStatus } from "./entities/message.ts";

/** True while a message may still change by itself. */
export function isLive(status: MessageStatus): boolean {
  return status === "accepted" || status === "streaming" || status === "waiting";
}
