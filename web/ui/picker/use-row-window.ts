import { type RefObject, useState } from "react";
import { STEP_PX, rowsInView, scrollFor, startsOf } from "./row-window.ts";

type Options = {
  /** Of each row in px. */
  heights: readonly number[];
  /** The row that stands in the middle at first. */
  first: number;
  /** The most of the list that is seen at once, in px. */
  view: number;
  scroller: RefObject<HTMLElement | null>;
};

/** Which rows of a long list are drawn. Those in sight are there with the first drawing already, as their heights are known. */
export function useRowWindow({ heights, first, view, scroller }: Options) {
  const starts = startsOf(heights);
  const edgesOf = (row: number) => ({ start: starts[row] ?? 0, end: starts[row + 1] ?? 0 });
  const [top, setTop] = useState(() => (first > 0 ? scrollFor(edgesOf(first), { top: 0, view }, "center") : 0));
  const note = (scrollTop: number) => setTop(Math.round(scrollTop / STEP_PX) * STEP_PX);
  return {
    ...rowsInView(starts, top, view),
    starts,
    onScroll: () => note(scroller.current?.scrollTop ?? 0),
    /** Scrolls to a row; what is then in sight is drawn at once. */
    reveal: (row: number, align: "nearest" | "center") => {
      const box = scroller.current;
      if (!box) return;
      // What is above and below the rows, e.g. the list's padding, is shown with the first and the last one.
      const { start, end } = edgesOf(row);
      const around = box.scrollHeight - (starts.at(-1) ?? 0);
      box.scrollTo({
        top: scrollFor({ start, end: end + around }, { top: box.scrollTop, view: box.clientHeight }, align),
        behavior: "instant",
      });
      note(box.scrollTop);
    },
  };
}
