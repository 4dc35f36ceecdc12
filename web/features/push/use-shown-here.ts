import { useEffect } from "react";
import { useUnreadCount } from "#web/features/chat-list/use-chats.ts";
import { useSession } from "#web/features/session/use-session.ts";
import { quietHere, showBadge } from "./shown-here.ts";

/** Keeps what the system shows of the application true: the number on its icon, and nothing of anybody once they are signed out. */
export function useShownHere(): void {
  const { isGuest, isCurrent } = useSession();
  const unread = useUnreadCount();
  // A list that is still held is nobody's once its reader has left.
  const badge = isGuest ? 0 : unread;
  useEffect(() => showBadge(badge), [badge]);
  useEffect(() => {
    // A browser that refuses shows nothing either.
    if (isCurrent && isGuest) void quietHere().catch(() => undefined);
  }, [isCurrent, isGuest]);
}
