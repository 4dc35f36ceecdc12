import { cx } from "#web/ui/cx.ts";

/** A tag's colour: its hue at the accent's lightness, which the theme sets. Decorative; the name stands beside it. */
export function TagDot({ hue, size = "sm" }: { hue: number; size?: "sm" | "lg" }) {
  return (
    <span
      aria-hidden
      className={cx("shrink-0 rounded-full bg-accent", size === "sm" ? "size-7" : "size-14")}
      style={{ backgroundColor: `oklch(from var(--color-accent) calc(l + 0.08) 0.12 ${hue})` }}
    />
  );
}
