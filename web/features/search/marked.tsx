import type { ReactNode } from "react";
import type { MarkedText } from "#shared/contracts/search.ts";

/** A text with its matches marked. */
export function Marked({ text, ranges }: MarkedText) {
  const parts: ReactNode[] = [];
  let at = 0;
  for (const { start, end } of ranges) {
    parts.push(text.slice(at, start));
    parts.push(
      <mark key={start} className="bg-transparent font-semibold text-accent">
        {text.slice(start, end)}
      </mark>,
    );
    at = end;
  }
  return (
    <>
      {parts}
      {text.slice(at)}
    </>
  );
}
