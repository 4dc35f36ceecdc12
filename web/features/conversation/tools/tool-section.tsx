import type { ReactNode } from "react";

/** One part of a call's details, under its title. */
export function ToolSection({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div>
      <p className="mb-4 text-12 font-medium text-ink3">{title}</p>
      {children}
    </div>
  );
}
