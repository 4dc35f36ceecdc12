import type { ComponentProps } from "react";
import { cx } from "./cx.ts";

const variants = {
  primary: "bg-accent text-accent-ink hover:bg-accent-hover disabled:bg-s3 disabled:text-ink3",
  secondary: "bg-s3 text-ink hover:bg-s4",
  outline: "border border-line-strong bg-s2 text-ink hover:bg-s3",
  quiet: "text-ink2 hover:bg-s3 hover:text-ink",
  danger: "bg-danger text-bg hover:bg-[color-mix(in_oklab,var(--color-danger),var(--color-ink)_14%)]",
} as const;

const sizes = {
  md: "h-36 px-14 text-13 touch:h-44 touch:text-14",
  sm: "h-32 px-12 text-13 touch:h-44",
  touch: "h-44 px-16 text-15",
} as const;

export type ButtonProps = ComponentProps<"button"> & {
  variant?: keyof typeof variants;
  size?: keyof typeof sizes;
  /** Work is under way: the button keeps its width and takes no second press. */
  busy?: boolean;
};

export function Button({
  variant = "secondary",
  size = "md",
  busy = false,
  className,
  children,
  onClick,
  type = "button",
  ...rest
}: ButtonProps) {
  return (
    <button
      type={type}
      aria-busy={busy || undefined}
      aria-disabled={busy || undefined}
      onClick={busy ? (event) => event.preventDefault() : onClick}
      className={cx(
        "relative inline-flex shrink-0 items-center justify-center rounded-8 font-medium whitespace-nowrap transition-colors duration-120 select-none",
        "disabled:pointer-events-none",
        variant !== "primary" && "disabled:opacity-45",
        variants[variant],
        sizes[size],
        className,
      )}
      {...rest}
    >
      <span className={cx("inline-flex items-center gap-8", busy && "opacity-0")}>{children}</span>
      {busy && <span aria-hidden className="thinking-dot absolute" />}
    </button>
  );
}
