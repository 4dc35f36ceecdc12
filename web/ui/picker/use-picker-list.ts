import { type KeyboardEvent, useMemo, useState } from "react";
import { moveHighlight } from "./list-keys.ts";
import { matcher, plainText } from "./match.ts";
import type { PickerKind } from "./picker-kind.ts";

type ListState = { query: string; activeId: string | null };

type Options<T> = {
  kind: PickerKind<T>;
  items: readonly T[];
  /** The option that is highlighted first. */
  selectedId: string | null;
  /** Whether Tab has somewhere to go from the list. */
  hasFooter: boolean;
  onPick: (item: T) => void;
  onClose: () => void;
  /** Brings the option at an index into view. */
  onMove: (index: number) => void;
  /** A key has moved the highlight to an item. */
  onStep: (item: T) => void;
};

/** The query and the highlight of a list; the highlight starts at the selected option and after a search at the first match. */
export function usePickerList<T>({ kind, items, selectedId, hasFooter, onPick, onClose, onMove, onStep }: Options<T>) {
  const [{ query, activeId }, setState] = useState<ListState>({ query: "", activeId: selectedId });
  const matches = useMatches(kind, items, query);
  const found = matches.findIndex((item) => kind.idOf(item) === activeId);
  const activeIndex = found === -1 ? (matches.length > 0 ? 0 : -1) : found;
  const active = matches[activeIndex] ?? null;

  const step = (event: KeyboardEvent): void => {
    const next = moveHighlight(event.key, activeIndex, matches.length);
    const item = next === null ? undefined : matches[next];
    if (next === null || item === undefined) return;
    event.preventDefault();
    setState({ query, activeId: kind.idOf(item) });
    onMove(next);
    onStep(item);
  };
  const choose = (event: KeyboardEvent): void => {
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
    /** Keys in a list without a search field. */
    onListKey: (event: KeyboardEvent) => (event.key === " " || event.key === "Enter" ? choose(event) : step(event)),
    highlight: (item: T) => {
      const id = kind.idOf(item);
      setState((state) => (state.activeId === id ? state : { ...state, activeId: id }));
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
