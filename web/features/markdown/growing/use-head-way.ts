import { type RefObject, useEffect } from "react";

/** Tells a table's styles how far its head may go along its rows (`--head-way`, markdown.css), the last of which it leaves in sight. */
export function useHeadWay(frame: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const box = frame.current;
    const table = box?.querySelector("table");
    if (!box || !table) return undefined;
    const measure = () => {
      const head = table.tHead?.offsetHeight ?? 0;
      const last = table.tBodies[0]?.lastElementChild?.clientHeight ?? 0;
      box.style.setProperty("--head-way", `${Math.max(0, table.offsetHeight - head - last)}px`);
    };
    const sizes = new ResizeObserver(measure);
    sizes.observe(table);
    return () => sizes.disconnect();
  }, [frame]);
}
