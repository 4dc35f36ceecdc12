/** What 'Manage prompts' shows beside its list: nothing yet, a prompt that is made `from` some text, or one that there is. */
export type Pane = { kind: "idle" } | { kind: "new"; from: string } | { kind: "edit"; id: string };

/** The pane that can be shown: one about a prompt that is gone gives way. */
export function paneFor(pane: Pane, ids: readonly string[] | null): Pane {
  return pane.kind === "edit" && ids !== null && !ids.includes(pane.id) ? { kind: "idle" } : pane;
}

/** `start` is what it shows first, new with each opening from the page. */
export type PromptsDialogProps = { open: boolean; onOpenChange: (open: boolean) => void; start?: { pane: Pane } | undefined };
