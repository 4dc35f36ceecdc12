import { currentOwner } from "#web/features/people/session/current-owner.ts";
import { type PendingSend, outbox } from "./outbox.ts";

/** False for a message that another account left unsent in this browser. */
export function isOwn({ ownerId }: PendingSend): boolean {
  return ownerId === null || ownerId === currentOwner();
}

/** True where messages of this person wait for a chat's turn: what is written now comes after them. */
export function isLineWaiting(chatId: string | null): boolean {
  return chatId !== null && outbox.ofChat(chatId).some((send) => isOwn(send) && send.state.kind === "queued");
}
