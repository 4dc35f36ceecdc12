import type { ComponentProps } from "react";
import { cx } from "./cx.ts";

type SwitchProps = Omit<ComponentProps<"input">, "type" | "size" | "role"> & {
  /** The accessible name. */
  label: string;
  checked: boolean;
};

/** On or off, at once. On touch its target is 44 px high. */
export function Switch({ label, checked, className, ...rest }: SwitchProps) {
  return (
    <label className={cx("relative inline-flex h-36 shrink-0 items-center touch:h-44", className)}>
      <input
        type="checkbox"
        role="switch"
        aria-label={label}
        checked={checked}
        aria-checked={checked}
        className="peer absolute inset-0 size-full opacity-0 disabled:cursor-default"
        {...rest}
      />
      <span
        aria-hidden
        className="pointer-events-none h-20 forced-color-adjust-none w-34 rounded-full bg-line-strong transition-colors duration-120 peer-checked:bg-accent peer-focus-visible:outline-2 peer-focus-visible:outline-offset-2 peer-focus-visible:outline-focus peer-disabled:opacity-45"
      />
      <span
        aria-hidden
        className="pointer-events-none absolute left-2 forced-color-adjust-none size-16 rounded-full bg-s2 transition-transform duration-120 peer-checked:translate-x-14 dark:bg-bg"
      />
    </label>
  );
}
