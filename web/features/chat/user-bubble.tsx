import type { ReactNode } from "react";

/** A person's own words, as they typed them. */
export function UserBubble({ children }: { children: ReactNode }) {
  return (
    <div className="max-w-580 min-w-0 rounded-14 rounded-br-6 bg-s3 px-14 py-9 text-15 [overflow-wrap:anywhere] whitespace-pre-wrap text-ink">
      {children}
    </div>
  );
}
