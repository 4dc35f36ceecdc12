import { createKeyedStore, useKeyed } from "#web/lib/keyed-store.ts";
import { closePickers } from "#web/ui/dialog/layers.ts";
import type { Pane } from "./pane.ts";

/** Where 'Manage knowledge' stands: each opening says what it shows. */
type State = { open: boolean; start: { pane: Pane } };

const CLOSED: State = { open: false, start: { pane: { kind: "list" } } };
const states = createKeyedStore<State>(CLOSED);
const ONE = "one";

/** Opens 'Manage knowledge' over the page: its list, or an entry to be changed or made. */
export function openKnowledge(pane: Pane = { kind: "list" }): void {
  // It would stand under one.
  closePickers();
  states.set(ONE, { open: true, start: { pane } });
}

/** Closes it. */
export function closeKnowledge(): void {
  states.set(ONE, { ...states.get(ONE), open: false });
}

/** Whether it is open, and what it was opened with. */
export function useKnowledgeState(): State {
  return useKeyed(states, ONE);
}
