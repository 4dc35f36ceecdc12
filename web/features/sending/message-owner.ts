import type { SessionAnswer } from "#web/features/session/use-session.ts";
import { keys, queryClient } from "#web/lib/query.ts";
import { type PendingSend, outbox } from "./outbox.ts";

/** Who a message written now belongs to: an account; null for guests and visitors, whose chats follow whoever signs in here. */
export function currentOwner(): string | null {
  const user = queryClient.getQueryData<SessionAnswer>(keys.session)?.user;
  return user && !user.anonymous ? user.id : null;
}

/** False for a message that another account left unsent in this browser. */
export function isOwn({ ownerId }: PendingSend): boolean {
  return ownerId === null || ownerId === currentOwner();
}

/** True where messages of this person wait for a chat's turn: what is written now comes after them. */
export function isLineWaiting(chatId: string | null): boolean {
  return chatId !== null && outbox.ofChat(chatId).some((send) => isOwn(send) && send.state.kind === "queued");
}
