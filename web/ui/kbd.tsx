import type { ReactNode } from "react";

/** Keys, printed quietly where there is a keyboard. */
export function Kbd({ children }: { children: ReactNode }) {
  return <kbd className="font-sans text-12 text-ink3 tabular-nums max-desk:hidden touch:hidden">{children}</kbd>;
}
