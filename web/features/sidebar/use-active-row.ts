import { type FocusEvent, type RefObject, useLayoutEffect, useRef, useState } from "react";
import type { VirtualizerHandle } from "virtua";
import type { ListItem } from "./list-items.ts";

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
  const [last, setLast] = useState<string | null>(null);
  const wanted = useRef<string | null>(null);
  const has = (id: string | null | undefined): id is string => id != null && order.includes(id);
  const activeId = has(last) ? last : has(openId) ? openId : (order[0] ?? null);
  const index = activeId === null ? -1 : items.findIndex(({ key }) => key === activeId);

  useLayoutEffect(() => {
    if (wanted.current === null) return;
    const row = scroller.current?.querySelector<HTMLElement>(`a[data-row="${wanted.current}"]`);
    if (!row) return;
    wanted.current = null;
    row.focus({ preventScroll: true });
  });

  return {
    activeId,
    kept: index === -1 ? [] : [index],
    /** Gives a row the focus and brings it into sight. */
    focusRow(id: string): void {
      wanted.current = id;
      setLast(id);
      const at = items.findIndex(({ key }) => key === id);
      if (at !== -1) list.current?.scrollToIndex(at, { align: "nearest" });
    },
    onFocus({ target }: FocusEvent): void {
      const id = target instanceof HTMLElement && target.dataset["row"];
      if (id) setLast(id);
    },
  };
}
