import type { ChatView } from "#shared/contracts/chat/chats.ts";
import { CHAT_SKELETON_ROWS } from "#shared/limits.ts";
import { cx } from "#web/ui/cx.ts";
import { SidebarNotice } from "#web/ui/sidebar-notice.tsx";
import { Link } from "#web/ui/link.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { setDrawerOpen, setView } from "#web/features/conversation/list-state/sidebar-state.ts";

const WIDTHS = ["w-3/4", "w-1/2", "w-2/3", "w-4/5", "w-3/5", "w-1/2", "w-3/4", "w-2/3"] as const;

/** Rows of the list's own shape while it loads, below the room of its first heading. */
export function ChatListSkeleton({ inDrawer }: { inDrawer: boolean }) {
  return (
    <output aria-label="Loading chats" className={cx("block", inDrawer ? "pt-44" : "pt-36")}>
      {Array.from({ length: CHAT_SKELETON_ROWS }, (_, index) => (
        <div
          key={index}
          data-skeleton
          className={cx("flex flex-col justify-center gap-8", inDrawer ? "mx-8 h-56 pr-12 pl-46" : "mx-12 h-52 pr-8 pl-32")}
        >
          <Skeleton className={cx("h-10", WIDTHS[index % WIDTHS.length])} />
          <Skeleton className="h-8 w-full" />
        </div>
      ))}
    </output>
  );
}

const stepClass =
  "text-ink2 underline decoration-line-strong underline-offset-3 hover:text-ink touch:inline-flex touch:min-h-44 touch:items-center";

/** The specification's words for a list without rows, with one way on. */
export function EmptyList({ view, inDrawer }: { view: ChatView; inDrawer: boolean }) {
  if (view === "archived")
    return <SidebarNotice title="Nothing is archived" text="Chats that you archive wait here until you restore them" />;
  if (view === "inbox") {
    return (
      <SidebarNotice title="No unread, pinned, or recent chats" text="Your inbox is empty">
        <button type="button" className={cx("mt-8 text-13", stepClass)} onClick={() => setView("all")}>
          See all chats
        </button>
      </SidebarNotice>
    );
  }
  return (
    <SidebarNotice
      title="No chats yet"
      text={
        <Link to="/" replace={inDrawer} onClick={() => setDrawerOpen(false)} className={stepClass}>
          Start a new conversation
        </Link>
      }
    />
  );
}
