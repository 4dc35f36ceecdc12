/** What 'Manage knowledge' shows: its list, an entry that is made `from` some text, or one that there is. */
export type Pane = { kind: "list" } | { kind: "new"; from: string } | { kind: "edit"; id: string };

/** `start` is what it shows first, new with each opening from the page. */
export type KnowledgeDialogProps = { open: boolean; onOpenChange: (open: boolean) => void; start?: { pane: Pane } | undefined };
