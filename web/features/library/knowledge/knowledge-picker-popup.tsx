import { Button } from "#web/ui/button.tsx";
import { Picker } from "#web/ui/picker.tsx";
import { ENTRIES } from "./entry-row.tsx";
import { openManage } from "#web/features/library/kit/manage-store.ts";
import { useKnowledge } from "./use-knowledge.ts";

type KnowledgePickerPopupProps = {
  open: boolean;
  anchor: HTMLElement;
  /** Ids of entries. */
  chosen: readonly string[];
  onToggle: (id: string) => void;
  onClose: () => void;
  /** False where leaving would lose what is being done. */
  hasManager?: boolean;
};

/** All knowledge, each entry on or off. Loaded with the first opening. */
export default function KnowledgePickerPopup({ open, anchor, chosen, onToggle, onClose, hasManager = true }: KnowledgePickerPopupProps) {
  const { entries } = useKnowledge();
  return (
    <Picker
      open={open}
      anchor={anchor}
      owner={anchor.closest("[data-composer]")}
      label="Add knowledge"
      kind={ENTRIES}
      items={entries}
      selected={chosen}
      isMultiple
      listLabel="Knowledge"
      search={{ label: "Search knowledge", placeholder: "Search knowledge..." }}
      footer={
        hasManager && (
          <Button
            variant="quiet"
            size="sm"
            className="-ml-12"
            onClick={() => {
              onClose();
              openManage("knowledge");
            }}
          >
            Manage knowledge
          </Button>
        )
      }
      onPick={({ id }) => onToggle(id)}
      onClose={onClose}
    />
  );
}
