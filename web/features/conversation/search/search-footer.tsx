import { ArrowDown, ArrowUp, CornerDownLeft } from "lucide-react";
import type { ReactNode } from "react";

const isApple = /Mac|iPhone|iPad/.test(navigator.platform);

/** The palette's keys. */
export function SearchFooter() {
  return (
    <div className="hidden h-40 shrink-0 items-center gap-20 border-t border-line px-18 text-12 text-ink3 desk:flex touch:hidden">
      <Key
        name="Up and down"
        keys={
          <>
            <ArrowUp aria-hidden className="size-12" />
            <ArrowDown aria-hidden className="size-12" />
          </>
        }
      >
        Move
      </Key>
      <Key name="Enter" keys={<CornerDownLeft aria-hidden className="size-12" />}>
        Open
      </Key>
      <Key
        name={isApple ? "Command Enter" : "Control Enter"}
        keys={
          <>
            {isApple ? "⌘" : "Ctrl"}
            <CornerDownLeft aria-hidden className="size-12" />
          </>
        }
      >
        Open in a new tab
      </Key>
      <span className="flex-1" />
      <Key name="Escape" keys="esc">
        Close
      </Key>
    </div>
  );
}

type KeyProps = {
  /** The keys in words. */
  name: string;
  keys: ReactNode;
  children: ReactNode;
};

function Key({ name, keys, children }: KeyProps) {
  return (
    <span className="inline-flex items-center gap-8">
      <kbd aria-hidden className="inline-flex items-center gap-4 font-sans font-medium text-ink2">
        {keys}
      </kbd>
      <span className="sr-only">{name}: </span>
      {children}
    </span>
  );
}
