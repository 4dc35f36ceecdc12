import { type KeyboardEvent, useId, useRef } from "react";
import { UNREAD_BADGE_EXPANDED } from "#shared/limits.ts";
import { cx } from "#web/ui/cx.ts";
import { useUnreadCount } from "#web/features/conversation/chat-cache/use-chats.ts";
import { useWaitingCount } from "#web/features/conversation/approvals/waiting-count.ts";
import { type SidebarView, setView } from "#web/features/conversation/list-state/sidebar-state.ts";

const TABS = [
  { view: "inbox", label: "Inbox" },
  { view: "all", label: "Chats" },
  { view: "artifacts", label: "Artifacts" },
] as const;

/** The panel that the tabs switch. */
export const LIST_PANEL = "chat-lists";

type SidebarTabsProps = { view: SidebarView; hasArtifacts: boolean; inDrawer: boolean };

/** The lists to choose from, the inbox with the count of what is unread or waits for the person's word. */
export function SidebarTabs({ view, hasArtifacts, inDrawer }: SidebarTabsProps) {
  const unread = useUnreadCount();
  const waiting = useWaitingCount();
  const count = unread + waiting;
  const badge = useId();
  const tabs = useRef<HTMLDivElement>(null);
  const shown = hasArtifacts ? TABS : TABS.slice(0, 2);
  const at = Math.max(
    0,
    shown.findIndex((tab) => tab.view === (view === "archived" ? "all" : view)),
  );
  const chosen = shown[at]?.view;
  const onKeyDown = ({ key }: KeyboardEvent) => {
    if (key !== "ArrowLeft" && key !== "ArrowRight") return;
    const next = (at + (key === "ArrowRight" ? 1 : shown.length - 1)) % shown.length;
    setView(shown[next]?.view ?? "inbox");
    tabs.current?.querySelectorAll<HTMLElement>('[role="tab"]')[next]?.focus();
  };
  return (
    <div
      ref={tabs}
      role="tablist"
      aria-label="Lists of chats"
      className={cx("flex shrink-0 border-b border-line", inDrawer ? "mx-20" : "mx-12")}
    >
      {shown.map((tab) => (
        <button
          key={tab.view}
          type="button"
          role="tab"
          aria-label={tab.label}
          aria-selected={tab.view === chosen}
          aria-controls={LIST_PANEL}
          aria-describedby={tab.view === "inbox" && count > 0 ? badge : undefined}
          tabIndex={tab.view === chosen ? 0 : -1}
          onClick={() => setView(tab.view)}
          onKeyDown={onKeyDown}
          className={cx(
            "relative flex flex-1 items-center justify-center gap-6 text-ink2 transition-colors duration-120 hover:text-ink",
            "-mb-1 border-b-2 border-transparent aria-selected:border-accent aria-selected:font-medium aria-selected:text-ink",
            inDrawer ? "h-44 text-15" : "h-38 text-14 touch:h-44",
          )}
        >
          {tab.label}
          {tab.view === "inbox" && count > 0 && (
            <span id={badge} className="text-13 font-medium text-signal-ink tabular-nums">
              {count > UNREAD_BADGE_EXPANDED ? `${UNREAD_BADGE_EXPANDED}+` : count}
              <span className="sr-only">{waiting === 0 ? " unread" : unread === 0 ? " waiting" : " unread or waiting"}</span>
            </span>
          )}
        </button>
      ))}
    </div>
  );
}
