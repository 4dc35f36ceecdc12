import { Search } from "lucide-react";
import type { ComponentProps, Ref } from "react";
import { cx } from "../cx.ts";
import { Kbd } from "../kbd.tsx";
import { fieldClass } from "../text-field.tsx";

export type SearchLabels = {
  /** The field's accessible name. */
  label: string;
  placeholder: string;
  /** The keys that open the picker, as printed. */
  keys?: string;
};

type PickerSearchProps = SearchLabels & {
  ref: Ref<HTMLInputElement>;
  /** The list it steers; undefined while that is empty. */
  listId: string | undefined;
  activeId: string | undefined;
  isTouch: boolean;
  value: string;
  onSearch: (text: string) => void;
  onKeyDown: ComponentProps<"input">["onKeyDown"];
};

/** The field that narrows the list and keeps the focus. */
export function PickerSearch({ ref, label, placeholder, keys, listId, activeId, isTouch, value, onSearch, onKeyDown }: PickerSearchProps) {
  return (
    <div className={cx("relative shrink-0", isTouch ? "px-20 pt-8 pb-12" : "border-b border-line")}>
      <Search
        aria-hidden
        className={cx("pointer-events-none absolute text-ink2", isTouch ? "top-21 left-34 size-18" : "top-14 left-14 size-16")}
      />
      <input
        ref={ref}
        role="combobox"
        aria-label={label}
        aria-autocomplete="list"
        aria-expanded={listId !== undefined}
        aria-controls={listId}
        aria-activedescendant={activeId}
        placeholder={placeholder}
        autoComplete="off"
        spellCheck={false}
        enterKeyHint="done"
        value={value}
        onChange={(event) => onSearch(event.target.value)}
        onKeyDown={onKeyDown}
        className={isTouch ? cx(fieldClass, "h-44 pl-42 text-16") : "h-44 w-full bg-transparent pr-64 pl-38 text-14 text-ink outline-none"}
      />
      {!isTouch && keys && (
        <span aria-hidden className="pointer-events-none absolute top-12 right-14">
          <Kbd>{keys}</Kbd>
        </span>
      )}
    </div>
  );
}
