import { type KeyboardEvent, type PointerEvent, useRef, useState } from "react";

/** Moves an item of a list to another place. */
export function moved(ids: readonly string[], id: string, to: number): string[] {
  const rest = ids.filter((other) => other !== id);
  const place = Math.max(0, Math.min(to, rest.length));
  return [...rest.slice(0, place), id, ...rest.slice(place)];
}

type Options = {
  /** Each finished order, and what moved. */
  onOrder: (ids: string[], id: string) => void;
  /** The height of every row in px where not all of them are there. */
  rowPx?: number;
};

/** So near to an edge of what scrolls, and so far with each move there, a drag scrolls on; in px. */
const EDGE_PX = 40;
const SCROLL_PX = 24;

/** Reordering by a row's handle: dragged with any pointer, or moved with the arrow keys. */
export function useReorder<E extends HTMLElement = HTMLUListElement>(ids: readonly string[], { onOrder, rowPx }: Options) {
  const [dragged, setDragged] = useState<{ id: string; order: readonly string[] } | null>(null);
  const list = useRef<E>(null);

  const placeAt = (y: number): number => {
    if (rowPx !== undefined) return Math.round((y - (list.current?.getBoundingClientRect().top ?? y)) / rowPx);
    const rows = [...(list.current?.children ?? [])].map((row) => row.getBoundingClientRect());
    return rows.filter((row) => y > row.top + row.height / 2).length;
  };

  const handle = (id: string) => ({
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      if (event.button !== 0) return;
      event.preventDefault();
      event.currentTarget.focus();
      event.currentTarget.setPointerCapture(event.pointerId);
      setDragged({ id, order: ids });
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      if (dragged?.id !== id) return;
      if (rowPx !== undefined) scrollAtEdge(list.current?.parentElement, event.clientY);
      const from = dragged.order.indexOf(id);
      const over = placeAt(event.clientY);
      const order = moved(dragged.order, id, over > from ? over - 1 : over);
      if (order.join() !== dragged.order.join()) setDragged({ id, order });
    },
    onPointerUp: () => {
      if (dragged && dragged.order.join() !== ids.join()) onOrder([...dragged.order], id);
      setDragged(null);
    },
    onPointerCancel: () => setDragged(null),
    onKeyDown: (event: KeyboardEvent) => {
      const step = event.key === "ArrowUp" ? -1 : event.key === "ArrowDown" ? 1 : 0;
      if (step === 0) return;
      event.preventDefault();
      const order = moved(ids, id, ids.indexOf(id) + step);
      if (order.join() !== ids.join()) onOrder(order, id);
    },
  });
  return { list, order: dragged?.order ?? ids, draggedId: dragged?.id ?? null, handle };
}

function scrollAtEdge(scroller: HTMLElement | null | undefined, y: number): void {
  const box = scroller?.getBoundingClientRect();
  if (!box) return;
  if (y < box.top + EDGE_PX) scroller?.scrollBy(0, -SCROLL_PX);
  if (y > box.bottom - EDGE_PX) scroller?.scrollBy(0, SCROLL_PX);
}
