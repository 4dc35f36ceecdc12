import { BookOpen, Check } from "lucide-react";
import { memo } from "react";
import type { KnowledgeSummary } from "#shared/entities/library/knowledge.ts";
import { Button } from "#web/ui/button.tsx";
import { cx } from "#web/ui/cx.ts";
import { Picker } from "#web/ui/picker.tsx";
import type { PickerKind, PickerRowProps } from "#web/ui/picker/picker-kind.ts";
import { openKnowledge } from "./knowledge-store.ts";
import { useKnowledge } from "./use-knowledge.ts";

const EntryRow = memo(function EntryRow({ item, isSelected, isTouch }: PickerRowProps<KnowledgeSummary>) {
  return (
    <div className={cx("flex items-start gap-10 py-8", isTouch ? "min-h-56 px-12" : "px-10")}>
      <BookOpen aria-hidden className="mt-2 size-16 shrink-0 text-ink2" />
      <span className="min-w-0 flex-1">
        <span className="block truncate text-14 text-ink">{item.name}</span>
        <span className="block truncate text-12 text-ink2">{aboutOf(item)}</span>
      </span>
      {isSelected && <Check aria-hidden className="mt-2 size-16 shrink-0 text-accent" />}
    </div>
  );
});

const ENTRIES: PickerKind<KnowledgeSummary> = {
  idOf: ({ id }) => id,
  textOf: ({ name, preview }) => `${name} ${preview}`,
  nameOf: ({ name }) => name,
  aboutOf,
  Row: EntryRow,
  rowHeight: { desk: 56, touch: 56 },
  size: { width: 320 },
};

function aboutOf({ preview, files_count: files }: KnowledgeSummary): string {
  const counted = files === 0 ? [] : [files === 1 ? "1 file" : `${files} files`];
  return [...counted, ...(preview === "" ? [] : [preview])].join(", ") || "No text yet";
}

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
              openKnowledge();
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
