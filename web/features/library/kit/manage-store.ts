import { createKeyedStore, useKeyed } from "#web/lib/keyed-store.ts";
import { closePickers } from "#web/ui/dialog/layers.ts";
import { IDLE, type Pane } from "./pane.ts";

/** What has a 'Manage' dialog. */
export type Managed = "personas" | "prompts" | "knowledge";

/** Each opening says what it shows. */
type State = { open: boolean; start: { pane: Pane } };

const states = createKeyedStore<State>({ open: false, start: { pane: IDLE } });

/** Opens a 'Manage' dialog over the page: its list, or an entry to be changed or made. */
export function openManage(what: Managed, pane: Pane = IDLE): void {
  // It would stand under one.
  closePickers();
  states.set(what, { open: true, start: { pane } });
}

export function closeManage(what: Managed): void {
  states.set(what, { ...states.get(what), open: false });
}

export function useManage(what: Managed): State {
  return useKeyed(states, what);
}
