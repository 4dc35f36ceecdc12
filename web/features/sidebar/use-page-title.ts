import { useEffect } from "react";
import { APP_NAME } from "#shared/app.ts";
import { UNREAD_BADGE_EXPANDED } from "#shared/limits.ts";
import { useWaitingCount } from "#web/features/approvals/waiting-count.ts";
import { useUnreadCount } from "#web/features/chat-list/use-chats.ts";

/** Names the tab: what is open, and how many calls wait for a word, else how many chats hold news. */
export function usePageTitle(title: string | null): void {
  const unread = useUnreadCount();
  const waiting = useWaitingCount();
  useEffect(() => {
    const count = unread > UNREAD_BADGE_EXPANDED ? `(${UNREAD_BADGE_EXPANDED}+) ` : unread > 0 ? `(${unread}) ` : "";
    document.title = (waiting > 0 ? `(${waiting} waiting) ` : count) + (title ? `${title} · ${APP_NAME}` : APP_NAME);
  }, [title, unread, waiting]);
}
