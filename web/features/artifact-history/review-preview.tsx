import { useDeferredValue, useEffect, useMemo, useRef } from "react";
import { previewOf } from "#web/features/artifact-preview/preview-document.ts";
import { Preview } from "#web/features/artifact-preview/preview.tsx";
import "./diff.css";
import { type BroughtWords, findBrought } from "./brought-words.ts";

const NAME = "artifact-brought";

type ReviewPreviewProps = {
  /** What the decisions come to. */
  text: string;
  /** What is marked in it. */
  words: readonly BroughtWords[];
};

/** How a text under review reads, with what the open changes bring marked in it. */
export function ReviewPreview({ text, words }: ReviewPreviewProps) {
  const shown = useDeferredValue(text);
  const document = useMemo(() => previewOf(shown), [shown]);
  const scroller = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const root = scroller.current;
    // Where a browser marks nothing, the lines beside it show all.
    if (!root || !("highlights" in CSS)) return undefined;
    const mark = () => CSS.highlights.set(NAME, new Highlight(...rangesOf(root, words)));
    mark();
    // What is drawn later: after a decision, or as a part comes into sight.
    const observer = new MutationObserver(mark);
    observer.observe(root, { childList: true, characterData: true, subtree: true });
    return () => {
      observer.disconnect();
      CSS.highlights.delete(NAME);
    };
  }, [words]);
  return (
    <div
      ref={scroller}
      // What scrolls must be reachable.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      role="region"
      aria-label="Preview"
      className="min-h-0 min-w-0 flex-1 overflow-y-auto border-l border-line px-24 py-16 outline-none"
    >
      <Preview document={document} scroller={scroller} />
    </div>
  );
}

function rangesOf(root: Node, words: readonly BroughtWords[]): Range[] {
  const nodes: { node: Text; start: number }[] = [];
  let text = "";
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (!(node instanceof Text)) continue;
    nodes.push({ node, start: text.length });
    text += node.data;
  }
  const place = (offset: number) => nodes.findLast(({ start }) => start <= offset);
  return findBrought(text, words).flatMap(({ start, end }) => {
    const [first, last] = [place(start), place(end - 1)];
    if (!first || !last) return [];
    const range = document.createRange();
    range.setStart(first.node, start - first.start);
    range.setEnd(last.node, end - last.start);
    return [range];
  });
}
