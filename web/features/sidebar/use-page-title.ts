import { useEffect } from "react";
import { APP_NAME } from "#shared/app.ts";
import { UNREAD_BADGE_EXPANDED } from "#shared/limits.ts";
import { useUnreadCount } from "./use-chats.ts";

/** Names the tab: what is open, and how many chats hold news. */
export function usePageTitle(title: string | null): void {
  const unread = useUnreadCount();
  useEffect(() => {
    const count = unread > UNREAD_BADGE_EXPANDED ? `(${UNREAD_BADGE_EXPANDED}+) ` : unread > 0 ? `(${unread}) ` : "";
    document.title = count + (title ? `${title} · ${APP_NAME}` : APP_NAME);
  }, [title, unread]);
}
