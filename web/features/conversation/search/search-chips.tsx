import { Check, X } from "lucide-react";
import type { SearchKind } from "#shared/contracts/search.ts";
import { SEARCH_MARKS } from "#shared/search/search-query.ts";
import { cx } from "#web/ui/cx.ts";
import { type Chip, chipLabel, hasChip } from "./search-text.ts";

const KINDS: readonly { kind: SearchKind; label: string }[] = [
  { kind: "chat", label: "Chats" },
  { kind: "message", label: "Messages" },
  { kind: "todo", label: "Todos" },
  { kind: "email", label: "Emails" },
];

const chipClass =
  "inline-flex h-28 shrink-0 items-center gap-6 rounded-8 px-9 text-13 whitespace-nowrap transition-colors duration-120 touch:h-44 touch:px-14";

type SearchChipsProps = {
  kind: SearchKind | null;
  chips: readonly Chip[];
  onKind: (kind: SearchKind | null) => void;
  onToggle: (chip: Chip) => void;
};

/** What the search is confined to: the kinds, the marks, and what was typed as a filter. */
export function SearchChips({ kind, chips, onKind, onToggle }: SearchChipsProps) {
  const typed = chips.filter(({ name }) => name !== "is");
  return (
    <div
      role="group"
      aria-label="Filters"
      className="flex shrink-0 items-center gap-6 overflow-x-auto px-16 pb-12 [scrollbar-width:none] desk:flex-wrap touch:gap-8"
    >
      {KINDS.map((choice) => (
        <ToggleChip
          key={choice.kind}
          label={choice.label}
          isOn={kind === choice.kind}
          onPress={() => onKind(kind === choice.kind ? null : choice.kind)}
        />
      ))}
      <Divider />
      {SEARCH_MARKS.map((mark) => {
        const chip: Chip = { name: "is", value: mark };
        return <ToggleChip key={mark} label={chipLabel(chip)} isOn={hasChip(chips, chip)} onPress={() => onToggle(chip)} />;
      })}
      {typed.length > 0 && <Divider />}
      {typed.map((chip) => (
        <button
          key={`${chip.name}:${chip.value}`}
          type="button"
          aria-label={`Remove the filter ${chipLabel(chip)}`}
          onClick={() => onToggle(chip)}
          className={cx(chipClass, "bg-accent-soft font-medium text-accent-soft-ink")}
        >
          <span className="max-w-160 truncate">{chipLabel(chip)}</span>
          <X aria-hidden className="size-14" />
        </button>
      ))}
    </div>
  );
}

function ToggleChip({ label, isOn, onPress }: { label: string; isOn: boolean; onPress: () => void }) {
  return (
    <button
      type="button"
      aria-pressed={isOn}
      onClick={onPress}
      className={cx(
        chipClass,
        isOn ? "bg-accent-soft font-medium text-accent-soft-ink" : "bg-highlight text-ink2 hover:bg-s4 hover:text-ink",
      )}
    >
      {isOn && <Check aria-hidden className="size-14" />}
      {label}
    </button>
  );
}

function Divider() {
  return <span aria-hidden className="h-16 w-px shrink-0 bg-line" />;
}
