import type { CSSProperties } from "react";
import { cx } from "./cx.ts";
import { hueOf, initialsOf } from "#shared/hue.ts";

type MonogramProps = {
  name: string;
  /** Whose hue it has; the name's own unless given. */
  hue?: string;
  size?: 18 | 28 | 40;
  className?: string;
};

const sizes = { 18: "size-18 rounded-6 text-12", 28: "size-28 rounded-8 text-14", 40: "size-40 rounded-8 text-18" } as const;

/** The tile of a model's maker: its initial in a hue of its own. Decorative; the name stands beside it. */
export function Monogram({ name, hue = name, size = 18, className }: MonogramProps) {
  const style: CSSProperties & { "--hue": number } = { "--hue": hueOf(hue) };
  return (
    <span
      aria-hidden
      style={style}
      // Drawn, not written: the tile adds no letter to the text of what it stands in.
      data-initial={initialsOf(name, 1) || "?"}
      className={cx(
        "tile before:content-[attr(data-initial)] inline-flex shrink-0 items-center justify-center leading-none font-semibold",
        sizes[size],
        className,
      )}
    />
  );
}
