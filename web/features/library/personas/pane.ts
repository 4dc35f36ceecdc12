/** What 'Manage Personas' shows beside its list: nothing yet, what can be added, a form, or a persona's earlier versions. */
export type Pane = { kind: "idle" } | { kind: "ready_made" } | { kind: "new" } | { kind: "edit" | "versions"; id: string };

/** The pane that can be shown: one about a persona that is gone gives way. */
export function paneFor(pane: Pane, ids: readonly string[]): Pane {
  return "id" in pane && !ids.includes(pane.id) ? { kind: "idle" } : pane;
}
