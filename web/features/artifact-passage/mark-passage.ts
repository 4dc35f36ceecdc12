import { findPassage } from "./find-passage.ts";
import "./passage.css";

const NAME = "artifact-passage";

/** Marks a passage in what is drawn, and answers the element that it begins in; null where it is not there. Nothing of the drawing changes. */
export function markPassage(root: Node, passage: string): Element | null {
  const nodes: { node: Text; start: number }[] = [];
  let text = "";
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (!(node instanceof Text)) continue;
    nodes.push({ node, start: text.length });
    text += node.data;
  }
  const found = findPassage(text, passage);
  if (!found) return null;
  const place = (offset: number) => nodes.findLast(({ start }) => start <= offset);
  const [first, last] = [place(found.start), place(found.end - 1)];
  if (!first || !last) return null;
  const range = document.createRange();
  range.setStart(first.node, found.start - first.start);
  range.setEnd(last.node, found.end - last.start);
  // Where a browser marks nothing, the passage is in sight all the same.
  if ("highlights" in CSS) CSS.highlights.set(NAME, new Highlight(range));
  return first.node.parentElement;
}

/** Takes the mark away. */
export function unmarkPassage(): void {
  if ("highlights" in CSS) CSS.highlights.delete(NAME);
}
