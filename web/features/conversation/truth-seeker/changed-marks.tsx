import { useEffect, useRef } from "react";
import { changedRuns } from "./changed-words.ts";

/** The name that the style sheet underlines. */
const NAME = "changed";

/** Underlines in the answer around it what is not its draft's; nothing where the browser cannot. */
export default function ChangedMarks({ draft }: { draft: string }) {
  const place = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    const answer = place.current?.closest("[data-answer]");
    if (!answer || !place.current || !("highlights" in CSS)) return undefined;
    const ranges = rangesOf(textAfter(answer, place.current), draft);
    const highlight = CSS.highlights.get(NAME) ?? new Highlight();
    CSS.highlights.set(NAME, highlight);
    for (const range of ranges) highlight.add(range);
    return () => {
      for (const range of ranges) highlight.delete(range);
    };
  }, [draft]);
  return <span ref={place} hidden />;
}

/** The pieces of an answer's own text behind a place, up to what it says of itself. */
function textAfter(answer: Element, place: Node): Text[] {
  const walker = document.createTreeWalker(answer, NodeFilter.SHOW_TEXT);
  const nodes: Text[] = [];
  while (walker.nextNode()) {
    const { currentNode: node } = walker;
    if (!(node instanceof Text) || !(place.compareDocumentPosition(node) & Node.DOCUMENT_POSITION_FOLLOWING)) continue;
    if (node.parentElement?.closest("[data-tools], a, button, .sr-only")) continue;
    if (/^(?:what changed|still uncertain)/i.test(node.data.trim())) break;
    nodes.push(node);
  }
  return nodes;
}

function rangesOf(nodes: readonly Text[], draft: string): Range[] {
  const starts: number[] = [];
  let text = "";
  for (const node of nodes) {
    starts.push(text.length);
    text += `${node.data} `;
  }
  return changedRuns(draft, text).flatMap(([from, to]) => {
    const first = starts.findLastIndex((start) => start <= from);
    const last = starts.findLastIndex((start) => start < to);
    const [begin, end] = [nodes[first], nodes[last]];
    if (!begin || !end) return [];
    const range = new Range();
    range.setStart(begin, from - (starts[first] ?? 0));
    range.setEnd(end, Math.min(to - (starts[last] ?? 0), end.length));
    return [range];
  });
}
