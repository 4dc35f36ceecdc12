import { ChevronLeft } from "lucide-react";
import type { ReactNode } from "react";
import { focusOnMount } from "#web/ui/focus-on-mount.ts";
import { IconButton } from "#web/ui/icon-button.tsx";
import { useSettings } from "./use-settings.ts";

type SubPaneProps = { title: string; about?: string; from?: "general" | "memory"; children: ReactNode };

const NAMES = { general: "General", memory: "Memory" } as const;

/** What would be too long for a row of General: a pane of its own, with the way back. */
export function SubPane({ title, about, from = "general", children }: SubPaneProps) {
  const settings = useSettings();
  return (
    <div className="px-20 pt-12 pb-24 min-[768px]:pt-16 desk:px-24">
      <div className="flex items-center gap-8 min-[768px]:pr-48">
        <IconButton
          ref={focusOnMount}
          label={`Back to ${NAMES[from]}`}
          icon={ChevronLeft}
          tooltip={false}
          className="-ml-8"
          onClick={() => settings.back(from)}
        />
        <h3 className="text-18 font-medium text-ink">{title}</h3>
      </div>
      {about && <p className="mt-2 max-w-480 text-14 text-pretty text-ink2">{about}</p>}
      <div className="mt-16">{children}</div>
    </div>
  );
}
