import { type KeyboardEvent, useMemo, useState } from "react";
import { matcher, plainText } from "./match.ts";
import type { PickerKind } from "./picker-kind.ts";

type ListState = { query: string; activeId: string | null };

type Press = Pick<Event, "preventDefault"> & { key: string };

type Options<T> = {
  kind: PickerKind<T>;
  items: readonly T[];
  /** The option that is highlighted first. */
  selectedId: string | null;
  /** Whether Tab has somewhere to go from the list. */
  hasFooter: boolean;
  /** What narrowed the items already, where a field elsewhere does: with another query the first one is highlighted. */
  narrowedBy: string | undefined;
  onPick: (item: T) => void;
  onClose: () => void;
  /** Brings the option at an index into view. */
  onMove: (index: number) => void;
  /** A key has moved the highlight to an item. */
  onStep: (item: T) => void;
};

/** The query and the highlight of a list; the highlight starts at the selected option and after a search at the first match. */
export function usePickerList<T>({ kind, items, selectedId, hasFooter, narrowedBy, onPick, onClose, onMove, onStep }: Options<T>) {
  const [state, setState] = useState<ListState>({ query: narrowedBy ?? "", activeId: selectedId });
  const isBehind = narrowedBy !== undefined && narrowedBy !== state.query;
  const { query, activeId } = isBehind ? { query: narrowedBy, activeId: null } : state;
  const matches = useMatches(kind, items, narrowedBy === undefined ? query : "");
  const found = matches.findIndex((item) => kind.idOf(item) === activeId);
  const activeIndex = found === -1 ? (matches.length > 0 ? 0 : -1) : found;
  const active = matches[activeIndex] ?? null;

  const step = (event: Press): void => {
    const next = moveHighlight(event.key, activeIndex, matches.length);
    const item = next === null ? undefined : matches[next];
    if (next === null || item === undefined) return;
    event.preventDefault();
    setState({ query, activeId: kind.idOf(item) });
    onMove(next);
    onStep(item);
  };
  const choose = (event: Press): void => {
    event.preventDefault();
    if (active !== null) onPick(active);
  };

  return {
    query,
    matches,
    active,
    activeIndex,
    /** Keys in the search field, which steers the list. */
    onSearchKey: (event: KeyboardEvent) => {
      if (event.nativeEvent.isComposing || event.altKey || event.ctrlKey || event.metaKey) return;
      // An empty list offers a button that Tab has to reach.
      if (event.key === "Escape" || (event.key === "Tab" && active !== null && !hasFooter)) {
        event.preventDefault();
        // The drawer or dialog around it would close a layer of its own.
        event.stopPropagation();
        onClose();
      } else if (event.key === "Enter") choose(event);
      else step(event);
    },
    /** Keys in a field elsewhere, whose caret keeps its own; Tab takes the highlighted item as Enter does. */
    onOuterKey: (event: globalThis.KeyboardEvent) => {
      const { key, isComposing, altKey, ctrlKey, metaKey, shiftKey } = event;
      if (isComposing || altKey || ctrlKey || metaKey || shiftKey) return;
      if (key === "Escape") {
        event.preventDefault();
        onClose();
      } else if (key === "Enter" || key === "Tab") choose(event);
      else if (key !== "Home" && key !== "End") step(event);
      // What the list took is not the field's.
      if (event.defaultPrevented) event.stopPropagation();
    },
    /** Keys in a list without a search field. */
    onListKey: (event: KeyboardEvent) => {
      if (event.key === "Escape") {
        // As from a search field.
        event.preventDefault();
        event.stopPropagation();
        onClose();
      } else if (event.key === " " || event.key === "Enter") choose(event);
      else step(event);
    },
    highlight: (item: T) => {
      const id = kind.idOf(item);
      setState((held) => (held.activeId === id && held.query === query ? held : { query, activeId: id }));
    },
    search: (text: string) => {
      setState({ query: text, activeId: text === "" ? selectedId : null });
      onMove(0);
    },
  };
}

/** The items that match; their texts are made ready for comparing as a search begins, once. */
function useMatches<T>({ textOf }: PickerKind<T>, items: readonly T[], query: string): readonly T[] {
  const isSearch = query.trim() !== "";
  const texts = useMemo(() => (isSearch ? items.map((item) => plainText(textOf(item))) : []), [isSearch, items, textOf]);
  return useMemo(() => {
    if (!isSearch) return items;
    const isMatch = matcher(query);
    return items.filter((_, index) => isMatch(texts[index] ?? ""));
  }, [isSearch, items, texts, query]);
}

/** Options that Page Up and Page Down skip: about what the list shows at once. */
const PAGE = 7;

/** Where a key moves the highlight in a list of `count` options, or null for a key that moves nothing. Arrows go round, pages stop at the ends. */
export function moveHighlight(key: string, index: number, count: number): number | null {
  if (count === 0) return null;
  const last = count - 1;
  switch (key) {
    case "ArrowDown":
      return index >= last ? 0 : index + 1;
    case "ArrowUp":
      return index <= 0 ? last : index - 1;
    case "PageDown":
      return Math.min(last, index + PAGE);
    case "PageUp":
      return Math.max(0, index - PAGE);
    case "Home":
      return 0;
    case "End":
      return last;
    default:
      return null;
  }
}
