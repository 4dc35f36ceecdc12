import { useEffect, useRef } from "react";
import { diffArrays } from "diff";

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

/** Past this share of changed words an answer was rewritten, and marking it all would say nothing. */
const MOST_CHANGED = 0.5;
/** Words put in or taken out past which comparing takes longer than a reader would wait: its time grows by their square. */
const MOST_EDITS = 2_000;

/** Where an answer's words are not its draft's, from and to in UTF-16 units, neighbours as one; nothing where it was rewritten. */
export function changedRuns(draft: string, answer: string): readonly (readonly [number, number])[] {
  const words = Array.from(answer.matchAll(/[\p{L}\p{N}]+(?:[.,'’-][\p{L}\p{N}]+)*/gu), (match) => ({
    word: match[0].toLowerCase(),
    from: match.index,
    to: match.index + match[0].length,
  }));
  const drafted = draft.toLowerCase().match(/[\p{L}\p{N}]+(?:[.,'’-][\p{L}\p{N}]+)*/gu) ?? [];
  const runs: [number, number][] = [];
  let at = 0;
  let changed = 0;
  const parts = diffArrays(
    [...drafted],
    words.map(({ word }) => word),
    // More edits than the draft has words leave less than half of the answer as it was.
    { maxEditLength: Math.min(MOST_EDITS, drafted.length) },
  );
  if (!parts) return [];
  for (const { added, removed, value } of parts) {
    if (removed) continue;
    const [first, last] = [words[at], words[at + value.length - 1]];
    at += value.length;
    if (!added || !first || !last) continue;
    changed += value.length;
    runs.push([first.from, last.to]);
  }
  return changed > words.length * MOST_CHANGED ? [] : runs;
}
