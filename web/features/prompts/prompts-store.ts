import { useSyncExternalStore } from "react";
import { closePickers } from "#web/ui/dialog/layers.ts";
import type { Pane } from "./pane.ts";

/** Where 'Manage prompts' stands: each opening says anew what it shows beside its list. */
type State = { open: boolean; start: { pane: Pane } };

let state: State = { open: false, start: { pane: { kind: "idle" } } };
const listeners = new Set<() => void>();

function set(next: State): void {
  state = next;
  for (const listener of listeners) listener();
}

/** Opens 'Manage prompts' over the page: its list, or a prompt to be changed or made. */
export function openPrompts(pane: Pane = { kind: "idle" }): void {
  // It would stand under one.
  closePickers();
  set({ open: true, start: { pane } });
}

/** Closes it. */
export function closePrompts(): void {
  if (state.open) set({ ...state, open: false });
}

/** Whether it is open, and what it was opened with. */
export function usePromptsState(): State {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => state,
  );
}
