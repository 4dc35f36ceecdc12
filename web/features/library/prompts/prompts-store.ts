import { createStore, useStore } from "#web/lib/store.ts";
import { closePickers } from "#web/ui/dialog/layers.ts";
import type { Pane } from "./pane.ts";

/** Where 'Manage prompts' stands: each opening says what it shows beside its list. */
type State = { open: boolean; start: { pane: Pane } };

const state = createStore<State>({ open: false, start: { pane: { kind: "idle" } } });

/** Opens 'Manage prompts' over the page: its list, or a prompt to be changed or made. */
export function openPrompts(pane: Pane = { kind: "idle" }): void {
  // It would stand under one.
  closePickers();
  state.set({ open: true, start: { pane } });
}

/** Closes it. */
export function closePrompts(): void {
  if (state.get().open) state.set({ ...state.get(), open: false });
}

/** Whether it is open, and what it was opened with. */
export function usePromptsState(): State {
  return useStore(state);
}
