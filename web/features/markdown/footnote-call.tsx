import { use } from "react";
import { FootnoteLink } from "./footnote-link.tsx";
import { ReferenceContext } from "./reference-context.ts";

/** The number in the text that leads to a footnote. */
export function FootnoteCall({ identifier, label }: { identifier: string; label: string }) {
  const { footnotes, idPrefix } = use(ReferenceContext);
  const number = footnotes.findIndex((footnote) => footnote.identifier === identifier) + 1;
  if (number === 0) return `[^${label}]`;
  return (
    <sup className="text-[0.72em] leading-none">
      <FootnoteLink to={`${idPrefix}note-${number}`} id={`${idPrefix}call-${number}`} name={`Footnote ${number}`}>
        {number}
      </FootnoteLink>
    </sup>
  );
}
