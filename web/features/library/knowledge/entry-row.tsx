import { BookOpen, Check } from "lucide-react";
import { memo } from "react";
import type { KnowledgeSummary } from "#shared/entities/library/knowledge.ts";
import { cx } from "#web/ui/cx.ts";
import type { PickerKind, PickerRowProps } from "#web/ui/picker/picker-kind.ts";

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

/** How entries are identified, found and drawn in a list. */
export const ENTRIES: PickerKind<KnowledgeSummary> = {
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
