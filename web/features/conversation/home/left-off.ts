import type { Chat } from "#shared/entities/chat.ts";

/** Chats that the home screen offers to go on with. */
const LEFT_OFF = 3;

/** The chats that were last left, newest first: what holds news stands in the sentence above. */
export function leftOff(chats: readonly Chat[]): Chat[] {
  return chats.filter(({ isRead, isWaiting, archived }) => isRead && !isWaiting && !archived).slice(0, LEFT_OFF);
}
