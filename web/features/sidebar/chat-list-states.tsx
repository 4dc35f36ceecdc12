import { CHAT_SKELETON_ROWS } from "#shared/limits.ts";
import { Button } from "#web/ui/button.tsx";
import { cx } from "#web/ui/cx.ts";
import { Skeleton } from "#web/ui/skeleton.tsx";

const WIDTHS = ["w-3/4", "w-1/2", "w-2/3", "w-4/5", "w-3/5", "w-1/2", "w-3/4", "w-2/3"] as const;

/** Rows of the list's own shape while it loads. */
export function ChatListSkeleton({ inDrawer }: { inDrawer: boolean }) {
  return (
    <output aria-label="Loading chats" className="block pt-36">
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

/** The specification's words for a list without rows. */
export const NO_CHATS = { title: "No chats yet", text: "Start a new conversation" } as const;

type ChatListNoticeProps = { title: string; text: string; retry?: () => void };

/** What the list says when it has no rows to show. */
export function ChatListNotice({ title, text, retry }: ChatListNoticeProps) {
  return (
    <div role={retry ? "alert" : undefined} className="px-20 py-16">
      <p className="text-14 font-medium text-ink">{title}</p>
      <p className="mt-2 text-13 text-ink2">{text}</p>
      {retry && (
        <Button size="sm" className="mt-12" onClick={retry}>
          Retry
        </Button>
      )}
    </div>
  );
}
