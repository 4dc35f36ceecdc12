import { ChevronDown } from "lucide-react";
import { cx } from "#web/ui/cx.ts";

type SelectProps<V extends string> = {
  label: string;
  value: V;
  /** One that `isPrompt` stands for no choice, drawn as a field's placeholder is. */
  options: readonly { value: V; label: string; isPrompt?: boolean }[];
  onChange: (value: V) => void;
  /** `plain` stands in a row without a border of its own. */
  look?: "field" | "plain";
  disabled?: boolean;
  className?: string;
};

/** The browser's own choice of one, drawn like a field: it opens as people's devices open such things. */
export function Select<V extends string>({ label, value, options, onChange, look = "field", disabled, className }: SelectProps<V>) {
  return (
    <span className={cx("relative inline-flex shrink-0", className)}>
      <select
        aria-label={label}
        value={value}
        disabled={disabled}
        onChange={(event) => {
          const chosen = options.find((option) => option.value === event.target.value);
          if (chosen) onChange(chosen.value);
        }}
        className={cx(
          "h-36 w-full appearance-none rounded-8 transition-colors duration-120 disabled:opacity-45 touch:h-44",
          options.some((option) => option.value === value && option.isPrompt) ? "text-ink2" : "text-ink",
          look === "field"
            ? "border border-line-strong bg-s2 pr-32 pl-11 text-14 focus-visible:border-line touch:text-16"
            : "bg-transparent pr-28 pl-8 text-13 hover:bg-s3 touch:text-16",
        )}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value} className="text-ink">
            {option.label}
          </option>
        ))}
      </select>
      <ChevronDown aria-hidden className="pointer-events-none absolute top-1/2 right-8 size-14 -translate-y-1/2 text-ink2" />
    </span>
  );
}
