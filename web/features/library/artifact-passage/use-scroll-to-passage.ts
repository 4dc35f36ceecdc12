import { type RefObject, useEffect, useRef } from "react";
import type { VirtualizerHandle } from "virtua";
import { findPassage } from "./find-passage.ts";
import type { OpenedPassage } from "./use-passage.ts";
import "./passage.css";

const NAME = "artifact-passage";

/** Marks a passage in what is drawn, and answers the element that it begins in; null where it is not there. Nothing of the drawing changes. */
function markPassage(root: Node, passage: string): Element | null {
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
function unmarkPassage(): void {
  if ("highlights" in CSS) CSS.highlights.delete(NAME);
}

/** A long text is looked through with its beginning, as a whole, and once more; what is typed after that looks for nothing. */
const MAX_SEARCHES = 3;

type Drawn = {
  box: RefObject<HTMLElement | null>;
  /** Where only what is in sight is drawn. */
  list: RefObject<VirtualizerHandle | null>;
  text: string;
  /** Parts of the drawing in their order, by where they begin in the text; each has its key in `data-run`. */
  runs: readonly { key: number; start: number }[];
  passage: OpenedPassage | null;
};

/** Puts a passage of a drawn text in sight and marks it, once for each opening. */
export function useScrollToPassage({ box, list, text, runs, passage }: Drawn): void {
  const searches = useRef({ key: "", count: 0 });
  const [sought, key] = [passage?.text ?? null, passage?.key ?? ""];
  useEffect(() => {
    if (sought === null || !box.current) return undefined;
    if (searches.current.key !== key) searches.current = { key, count: 0 };
    if (searches.current.count >= MAX_SEARCHES) return undefined;
    searches.current.count += 1;
    const found = findPassage(text, sought);
    const index = found ? runs.findLastIndex(({ start }) => start <= found.start) : -1;
    const run = runs[index];
    if (!run) return undefined;
    const root = box.current;
    list.current?.scrollToIndex(index);
    const show = () => {
      const drawn = root.querySelector(`[data-run="${run.key}"]`);
      const place = drawn && markPassage(drawn, sought);
      if (!place) return false;
      place.scrollIntoView({ block: "center" });
      searches.current.count = MAX_SEARCHES;
      return true;
    };
    if (show()) return undefined;
    const observer = new MutationObserver(() => {
      if (show()) observer.disconnect();
    });
    observer.observe(root, { childList: true, subtree: true });
    return () => observer.disconnect();
  }, [box, key, list, runs, sought, text]);
  useEffect(() => {
    if (key === "") return undefined;
    return unmarkPassage;
  }, [key]);
}
