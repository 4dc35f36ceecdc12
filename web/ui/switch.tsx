import type { ComponentProps } from "react";

type SwitchProps = Omit<ComponentProps<"input">, "type" | "role" | "size"> & { label: string; hint?: string };

/** An on-off row: text at the left, the switch at the right. */
export function Switch({ label, hint, ...rest }: SwitchProps) {
  return (
    <label className="flex min-h-44 items-center justify-between gap-16">
      <span>
        <span className="block text-14 text-ink">{label}</span>
        {hint && <span className="block text-13 text-ink2">{hint}</span>}
      </span>
      <span className="relative inline-flex shrink-0">
        <input
          type="checkbox"
          role="switch"
          className="peer h-20 w-36 appearance-none rounded-full border border-line-strong bg-s3 transition-colors duration-120 checked:border-accent checked:bg-accent disabled:opacity-45"
          {...rest}
        />
        <span
          aria-hidden
          className="pointer-events-none absolute top-3 left-3 size-14 rounded-full bg-line-strong transition-transform duration-120 peer-checked:translate-x-16 peer-checked:bg-accent-ink"
        />
      </span>
    </label>
  );
}
