import { ChevronDown, X } from "lucide-react";
import { type ReactNode, useId, useState } from "react";
import { cx } from "#web/ui/cx.ts";
import { IconButton } from "#web/ui/icon-button.tsx";
import { fieldClass } from "#web/ui/text-field.tsx";
import { useEver } from "#web/lib/use-ever.ts";

/** What a field says that sets nothing. */
export const UNSET = "As the chat has it";

type PickerPlace = { open: boolean; anchor: HTMLElement; onClose: () => void };

type PickedFieldProps = {
  label: string;
  /** Where what stands before it names it in sight. */
  hideLabel?: boolean;
  /** Says beside the label that nothing need be picked. */
  isOptional?: boolean;
  disabled?: boolean;
  /** Null where the chat's own stays. */
  value: ReactNode;
  onClear: (() => void) | null;
  /** What it says where nothing is picked. */
  unset?: string;
  renderPicker: (place: PickerPlace) => ReactNode;
};

/** A field that opens a list to pick from, and beside it the way to pick nothing again. */
export function PickedField(props: PickedFieldProps) {
  const { label, hideLabel = false, isOptional = false, disabled = false, value, onClear, unset = UNSET, renderPicker } = props;
  const id = useId();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const [isOpen, setIsOpen] = useState(false);
  const isUsed = useEver(isOpen);
  return (
    <div className="min-w-0">
      <p className={hideLabel ? "sr-only" : "mb-6 text-13 font-medium text-ink"}>
        <span id={`${id}-label`}>{label}</span>
        {isOptional && (
          <span id={`${id}-optional`} className="ml-8 font-normal text-ink2">
            optional
          </span>
        )}
      </p>
      <div className="relative">
        <button
          ref={setAnchor}
          type="button"
          disabled={disabled}
          aria-labelledby={`${id}-label`}
          aria-describedby={isOptional ? `${id}-value ${id}-optional` : `${id}-value`}
          aria-haspopup="dialog"
          aria-expanded={isOpen}
          onClick={() => setIsOpen(!isOpen)}
          className={cx(
            fieldClass,
            "flex h-36 items-center gap-8 text-left text-14 disabled:opacity-45 touch:h-44 touch:text-16",
            onClear && !disabled ? "pr-64!" : "pr-32!",
          )}
        >
          <span id={`${id}-value`} className={cx("flex min-w-0 flex-1 items-center gap-6 overflow-hidden", value === null && "text-ink2")}>
            {value ?? unset}
          </span>
          <ChevronDown aria-hidden className="absolute right-8 size-14 text-ink2" />
        </button>
        {onClear && !disabled && (
          <IconButton
            label={`No ${label.toLowerCase()}${isOptional ? "" : " of its own"}`}
            icon={X}
            size="sm"
            className="absolute top-1/2 right-26 -translate-y-1/2"
            onClick={onClear}
          />
        )}
      </div>
      {isUsed && anchor && renderPicker({ open: isOpen, anchor, onClose: () => setIsOpen(false) })}
    </div>
  );
}
