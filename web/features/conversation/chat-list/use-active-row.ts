import { type FocusEvent, type RefObject, useState } from "react";
import type { VirtualizerHandle } from "virtua";
import type { ListItem } from "./list-items.ts";

/** Frames in which a row that was far away must have come: it is hidden until it was measured. */
const PATIENCE_FRAMES = 60;

type ActiveRow = {
  items: readonly ListItem[];
  /** The chats' ids, in the list's order. */
  order: readonly string[];
  openId: string | undefined;
  list: RefObject<VirtualizerHandle | null>;
  scroller: RefObject<HTMLDivElement | null>;
};

/** The one row that Tab reaches, and the way from it to others: it stays in the page however far the list is scrolled. */
export function useActiveRow({ items, order, openId, list, scroller }: ActiveRow) {
  const [{ last, from }, setActive] = useState<{ last: string | null; from: string | null }>({ last: null, from: null });
  const has = (id: string | null | undefined): id is string => id != null && order.includes(id);
  const activeId = has(last) ? last : has(openId) ? openId : (order[0] ?? null);

  const focusWhenThere = (id: string, frames: number) => {
    const row = scroller.current?.querySelector<HTMLElement>(`a[data-row="${id}"]`);
    row?.focus({ preventScroll: true });
    if (frames > 0 && (!row || document.activeElement !== row)) requestAnimationFrame(() => focusWhenThere(id, frames - 1));
  };

  return {
    activeId,
    // Where the focus comes from stays as well until it has moved, or a key pressed meanwhile would get lost.
    alwaysMounted: [...new Set([activeId, from])].map((id) => items.findIndex(({ key }) => key === id)).filter((index) => index !== -1),
    /** Gives a row the focus and brings it into sight. */
    focusRow(id: string): void {
      setActive({ last: id, from: activeId });
      const at = items.findIndex(({ key }) => key === id);
      if (at !== -1) list.current?.scrollToIndex(at, { align: "nearest" });
      requestAnimationFrame(() => focusWhenThere(id, PATIENCE_FRAMES));
    },
    onFocus({ target }: FocusEvent): void {
      const id = target instanceof HTMLElement && target.dataset["row"];
      if (id && id !== last) setActive({ last: id, from: null });
    },
  };
}
