import { Check } from "lucide-react";
import type { ComponentProps, ReactNode } from "react";
import { cx } from "./cx.ts";

type CheckboxProps = Omit<ComponentProps<"input">, "type" | "size"> & { label?: ReactNode };

/** A native checkbox in the product's dress; with `label` it is its own row. */
export function Checkbox({ label, className, ...rest }: CheckboxProps) {
  const box = (
    <span className={cx("relative inline-flex size-16 shrink-0 items-center justify-center", className)}>
      <input
        type="checkbox"
        className="peer size-16 appearance-none rounded-[4px] border border-line-strong bg-s2 transition-colors duration-120 checked:border-accent checked:bg-accent disabled:opacity-45"
        {...rest}
      />
      <Check
        aria-hidden
        className="pointer-events-none absolute size-12 text-accent-ink opacity-0 peer-checked:opacity-100 [stroke-width:2.4]!"
      />
    </span>
  );
  if (label === undefined) return box;
  return (
    <label className="flex min-h-36 items-center gap-10 text-14 text-ink touch:min-h-44">
      {box}
      <span>{label}</span>
    </label>
  );
}
