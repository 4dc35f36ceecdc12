import type { ReactNode } from "react";

export function TabHeading({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="pr-48 max-[768px]:hidden">
      <h3 className="font-serif text-18 text-ink">{title}</h3>
      {children && <p className="mt-2 text-13 text-pretty text-ink2">{children}</p>}
    </div>
  );
}
