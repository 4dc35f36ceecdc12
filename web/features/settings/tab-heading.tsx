import type { ReactNode } from "react";

/** A tab's title and what it is for. */
export function TabHeading({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="max-w-480 pr-48 max-[768px]:hidden">
      <h3 className="text-18 font-medium text-ink">{title}</h3>
      {children && <p className="mt-2 text-14 text-balance text-ink2">{children}</p>}
    </div>
  );
}
