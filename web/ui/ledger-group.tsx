import { type ReactNode, useId } from "react";

/** Rows of settings under a label of their own, or with `label` for screen readers alone. */
export function LedgerGroup({ label, isQuiet = false, children }: { label: string; isQuiet?: boolean; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <h3 id={id} className={isQuiet ? "sr-only" : "flex h-32 items-end pb-2 text-12 font-medium text-ink2"}>
        {label}
      </h3>
      {children}
    </section>
  );
}
