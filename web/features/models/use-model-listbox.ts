import { type KeyboardEvent, useState } from "react";
import type { Model } from "#shared/entities/model.ts";
import { moveHighlight } from "./list-keys.ts";
import { searchModels } from "./selector-models.ts";

type ListboxState = { query: string; activeId: string | null };

type Options = {
  models: readonly Model[];
  selectedId: string;
  onPick: (model: Model) => void;
  onClose: () => void;
  /** Brings the option at an index into view. */
  onMove: (index: number) => void;
  /** A key has moved the highlight to a model. */
  onStep: (model: Model) => void;
};

/** The search field and the highlight of a list of models; the highlight starts at the selected one and after a search at the first match. */
export function useModelListbox({ models, selectedId, onPick, onClose, onMove, onStep }: Options) {
  const [{ query, activeId }, setState] = useState<ListboxState>({ query: "", activeId: selectedId });
  const matches = searchModels(models, query);
  const found = matches.findIndex((model) => model.id === activeId);
  const activeIndex = found === -1 ? (matches.length > 0 ? 0 : -1) : found;
  const active = matches[activeIndex] ?? null;

  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing || event.altKey || event.ctrlKey || event.metaKey) return;
    // An empty list offers a button that Tab has to reach.
    if (event.key === "Escape" || (event.key === "Tab" && active)) {
      event.preventDefault();
      // The drawer or dialog around it would close a layer of its own.
      event.stopPropagation();
      onClose();
      return;
    }
    if (event.key === "Enter") {
      event.preventDefault();
      if (active) onPick(active);
      return;
    }
    const next = moveHighlight(event.key, activeIndex, matches.length);
    const model = next === null ? undefined : matches[next];
    if (next === null || !model) return;
    event.preventDefault();
    setState({ query, activeId: model.id });
    onMove(next);
    onStep(model);
  };

  return {
    query,
    matches,
    active,
    activeIndex,
    onKeyDown,
    highlight: (model: Model) => setState((state) => (state.activeId === model.id ? state : { ...state, activeId: model.id })),
    search: (text: string) => {
      setState({ query: text, activeId: text === "" ? selectedId : null });
      onMove(0);
    },
  };
}
