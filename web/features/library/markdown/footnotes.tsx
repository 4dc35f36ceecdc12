import { use } from "react";
import { BlockViews } from "./block-view.tsx";
import { FootnoteLink } from "./footnote-link.tsx";
import { ReferenceContext } from "./contexts.ts";

/** The notes that the text calls, in the order of their first call. */
export function Footnotes() {
  const { footnotes, idPrefix } = use(ReferenceContext);
  if (footnotes.length === 0) return null;
  return (
    <div className="mt-12 border-t border-line pt-12 text-13 text-ink2">
      <ol aria-label="Footnotes" className="list-decimal ps-22 marker:text-ink3">
        {footnotes.map((footnote, index) => {
          const number = index + 1;
          return (
            <li
              key={footnote.identifier}
              id={`${idPrefix}note-${number}`}
              tabIndex={-1}
              className="markdown-flow ps-2 [&>:nth-last-child(2):is(p)]:inline"
            >
              <BlockViews nodes={footnote.children} open={false} />{" "}
              <FootnoteLink to={`${idPrefix}call-${number}`} name={`Back to the text at footnote ${number}`}>
                ↩
              </FootnoteLink>
            </li>
          );
        })}
      </ol>
    </div>
  );
}
