import { type RefObject, useEffect, useRef } from "react";
import type { VirtualizerHandle } from "virtua";
import { findPassage } from "./find-passage.ts";
import { markPassage, unmarkPassage } from "./mark-passage.ts";
import type { OpenedPassage } from "./use-passage.ts";

/** A long text is looked through with its beginning, as a whole, and once more; what is typed after that looks for nothing. */
const LOOKS = 3;

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
export function usePassageMark({ box, list, text, runs, passage }: Drawn): void {
  const looks = useRef({ key: "", count: 0 });
  const [sought, key] = [passage?.text ?? null, passage?.key ?? ""];
  useEffect(() => {
    if (sought === null || !box.current) return undefined;
    if (looks.current.key !== key) looks.current = { key, count: 0 };
    if (looks.current.count >= LOOKS) return undefined;
    looks.current.count += 1;
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
      looks.current.count = LOOKS;
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
