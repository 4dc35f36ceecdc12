import { useState } from "react";

/** What a 'Manage' dialog shows beside its list, or in its place: nothing yet, an entry that is made `from` some text, or one that there is. */
export type Pane = { kind: "idle" } | { kind: "new"; from: string } | { kind: "edit"; id: string };

export const IDLE = { kind: "idle" } as const;

/** `start` is what it shows first, new with each opening from the page. */
export type ManageProps = { open: boolean; onOpenChange: (open: boolean) => void; start?: { pane: Pane } | undefined };

/** What is shown, begun anew with each `start`. */
export function usePane<Own extends { kind: string } = Pane>(start: { pane: Pane } | undefined) {
  const [begun, setBegun] = useState(start);
  const [pane, setPane] = useState<Pane | Own>(start?.pane ?? IDLE);
  if (start !== begun) {
    setBegun(start);
    setPane(start?.pane ?? IDLE);
  }
  return [pane, setPane] as const;
}

/** The pane that can be shown: one about an entry that is gone gives way; `ids` is null until they are known. */
export function paneFor<Own extends { kind: string; id?: string }>(pane: Own, ids: readonly string[] | null): Own | typeof IDLE {
  return pane.id !== undefined && ids !== null && !ids.includes(pane.id) ? IDLE : pane;
}
