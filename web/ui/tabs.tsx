import { Tabs as Base } from "@base-ui/react/tabs";
import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { cx } from "./cx.ts";

type TabsProps = {
  value: string;
  onValueChange: (value: string) => void;
  orientation?: "horizontal" | "vertical";
  className?: string;
  children: ReactNode;
};

/** Underlined tabs, or a column of rows when vertical. Loaded with the screens that have tabs. */
export function Tabs({ value, onValueChange, orientation = "horizontal", className, children }: TabsProps) {
  return (
    <Base.Root
      value={value}
      orientation={orientation}
      onValueChange={(next: unknown) => typeof next === "string" && onValueChange(next)}
      className={className}
    >
      {children}
    </Base.Root>
  );
}

export function TabList({ label, className, children }: { label: string; className?: string; children: ReactNode }) {
  return (
    <Base.List aria-label={label} activateOnFocus className={className}>
      {children}
    </Base.List>
  );
}

export function Tab({
  value,
  icon: Icon,
  row = false,
  children,
}: {
  value: string;
  icon?: LucideIcon;
  row?: boolean;
  children: ReactNode;
}) {
  return (
    <Base.Tab
      value={value}
      className={cx(
        "inline-flex items-center gap-8 text-14 text-ink2 transition-colors duration-120 hover:text-ink data-active:font-medium data-active:text-ink",
        row
          ? "h-40 touch:h-44 w-full rounded-8 px-8 text-left hover:bg-s3 data-active:bg-s4"
          : "h-38 touch:h-44 justify-center border-b-2 border-transparent px-12 data-active:border-accent",
      )}
    >
      {Icon && <Icon aria-hidden className="size-16" />}
      {children}
    </Base.Tab>
  );
}

type TabPanelProps = {
  value: string;
  /** True where there are no tabs, or not yet: it is no panel of any then. */
  isAlone?: boolean;
  className?: string;
  children: ReactNode;
};

/** What a tab shows; the one before it, which the library takes away a frame later, takes no room beside it. */
export function TabPanel({ value, isAlone = false, className, children }: TabPanelProps) {
  return (
    <Base.Panel
      value={value}
      className={cx("outline-none inert:hidden", className)}
      {...(isAlone && { role: "presentation", tabIndex: -1 })}
    >
      {children}
    </Base.Panel>
  );
}

export function TabHeading({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="pr-48 max-[768px]:hidden">
      <h3 className="font-serif text-18 text-ink">{title}</h3>
      {children && <p className="mt-2 text-13 text-pretty text-ink2">{children}</p>}
    </div>
  );
}
