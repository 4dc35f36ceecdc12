import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import type { ChatView } from "#shared/contracts/chat/chats.ts";
import { cx } from "#web/ui/cx.ts";
import { setView } from "#web/features/conversation/list-state/sidebar-state.ts";

type ListHeadingProps = {
  label: string;
  inDrawer: boolean;
  /** A way to another list, at the heading's right. */
  way?: { icon: LucideIcon; label: string; to: ChatView };
  /** What else can be done with the list, after the way. */
  menu?: ReactNode;
};

/** The name of a stretch of the list: 16 px above it, 4 below. */
export function ListHeading({ label, inDrawer, way, menu }: ListHeadingProps) {
  return (
    <div
      className={cx("flex items-end justify-between pb-4 text-ink3", inDrawer ? "h-44 pr-12 pl-20 text-13" : "h-36 pr-12 pl-20 text-12")}
    >
      {label === "" ? <span /> : <h2 className="font-medium">{label}</h2>}
      {(way || menu) && (
        <span className="-mb-6 flex items-center">
          {way && (
            <button
              type="button"
              onClick={() => setView(way.to)}
              className="flex h-28 items-center gap-6 rounded-6 px-8 text-ink2 transition-colors duration-120 hover:bg-s3 hover:text-ink touch:h-44"
            >
              <way.icon aria-hidden className="size-14" />
              {way.label}
            </button>
          )}
          {menu}
        </span>
      )}
    </div>
  );
}
