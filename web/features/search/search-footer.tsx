import type { ReactNode } from "react";

const isApple = /Mac|iPhone|iPad/.test(navigator.platform);

/** The palette's keys. */
export function SearchFooter() {
  return (
    <div className="hidden h-40 shrink-0 items-center gap-20 border-t border-line px-18 text-12 text-ink3 desk:flex touch:hidden">
      <Key keys="↑ ↓">Move</Key>
      <Key keys="↵">Open</Key>
      <Key keys={isApple ? "⌘ ↵" : "Ctrl ↵"}>Open in a new tab</Key>
      <span className="flex-1" />
      <Key keys="esc">Close</Key>
    </div>
  );
}

function Key({ keys, children }: { keys: string; children: ReactNode }) {
  return (
    <span className="inline-flex items-center gap-8">
      <kbd className="font-sans font-medium text-ink2">{keys}</kbd>
      {children}
    </span>
  );
}
