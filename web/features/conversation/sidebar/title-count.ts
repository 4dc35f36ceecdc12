import { UNREAD_BADGE_EXPANDED } from "#shared/limits.ts";
import { useWaitingCount } from "#web/features/conversation/approvals/waiting-count.ts";
import { useUnreadCount } from "#web/features/conversation/chat-cache/use-chats.ts";
import { useTitleCount } from "#web/lib/page-title.ts";

/** Says before the tab's name how many calls wait for a word, else how many chats hold news. Nothing to be seen on the page. */
export function TitleCount(): null {
  const unread = useUnreadCount();
  const waiting = useWaitingCount();
  const count = unread > UNREAD_BADGE_EXPANDED ? `(${UNREAD_BADGE_EXPANDED}+) ` : unread > 0 ? `(${unread}) ` : "";
  useTitleCount(waiting > 0 ? `(${waiting} waiting) ` : count);
  return null;
}
