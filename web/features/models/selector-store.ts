import { useSyncExternalStore } from "react";
import { closePickers, isCovered } from "#web/ui/layers.ts";

let open = false;
const listeners = new Set<() => void>();

function set(next: boolean): void {
  if (open === next) return;
  open = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Opens the model selector of the composer on screen: for `/model`, and for errors that another model solves. */
export function openModelSelector(): void {
  set(true);
}

/** Closes it. */
export function closeModelSelector(): void {
  set(false);
}

/** What Cmd/Ctrl+Shift+P and the button do; under what covers the page it does not open. */
export function toggleModelSelector(): void {
  if (open) set(false);
  else if (!isCovered()) {
    closePickers();
    set(true);
  }
}

/** Whether it is open. */
export function useModelSelectorOpen(): boolean {
  return useSyncExternalStore(subscribe, () => open);
}
