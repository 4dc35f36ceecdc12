import { ArrowLeft } from "lucide-react";
import type { ReactNode } from "react";
import { cx } from "#web/ui/cx.ts";
import { focusOnMount } from "#web/ui/focus.ts";
import { IconButton } from "#web/ui/icon-button.tsx";
import { useSettings } from "./use-settings.ts";

type SubPaneProps = {
  title: string;
  about?: string;
  from?: "general" | "memory";
  /** Stays in view at the bottom. */
  footer?: ReactNode;
  children: ReactNode;
};

const NAMES = { general: "General", memory: "Memory" } as const;

/** What would be too long for a row of General: a pane of its own, with the way back. */
export function SubPane({ title, about, from = "general", footer, children }: SubPaneProps) {
  const settings = useSettings();
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div className="min-h-0 flex-1 overflow-x-hidden overflow-y-auto">
        <div className={cx("beneath-bar px-20 pt-12 min-[768px]:pt-16 desk:px-24", footer ? "pb-16" : "pb-24")}>
          <div className="flex items-center gap-8 min-[768px]:pr-48">
            <IconButton
              ref={focusOnMount}
              label={`Back to ${NAMES[from]}`}
              icon={ArrowLeft}
              tooltip={false}
              className="-ml-8"
              onClick={() => settings.back(from)}
            />
            <h3 className="font-serif text-18 text-ink">{title}</h3>
          </div>
          {about && <p className="mt-2 text-13 text-pretty text-ink2 min-[768px]:ml-32">{about}</p>}
          <div className="mt-16">{children}</div>
        </div>
      </div>
      {footer && <div className="flex min-h-52 shrink-0 items-center gap-8 border-t border-line bg-s2 px-20 desk:px-24">{footer}</div>}
    </div>
  );
}
