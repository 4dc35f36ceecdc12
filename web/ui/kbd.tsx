import type { ReactNode } from "react";

/** Keys, printed quietly. */
export function Kbd({ children }: { children: ReactNode }) {
  return <kbd className="font-sans text-12 text-ink3 tabular-nums touch:hidden">{children}</kbd>;
}
