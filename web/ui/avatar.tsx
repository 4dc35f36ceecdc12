import type { CSSProperties } from "react";
import { UserRound } from "lucide-react";
import { cx } from "./cx.ts";
import { hueOf, initialsOf } from "#shared/hue.ts";

type AvatarProps = { name: string; image?: string | null; size?: 28 | 32; className?: string };

/** A person's picture, else their initials in a hue of their own. Decorative: the style sheet draws the initials, so that they are no part of a button's text. */
export function Avatar({ name, image = null, size = 28, className }: AvatarProps) {
  const box = cx(
    "inline-flex shrink-0 items-center justify-center rounded-full",
    size === 28 ? "size-28 text-12" : "size-32 text-12",
    className,
  );
  if (image) return <img alt="" src={image} className={cx(box, "object-cover")} />;
  const initials = initialsOf(name, 2);
  const style: CSSProperties & { "--hue": number } = { "--hue": hueOf(name) };
  return (
    <span aria-hidden data-text={initials} style={style} className={cx(box, "tile font-semibold before:content-[attr(data-text)]")}>
      {initials === "" && <UserRound className="size-16" />}
    </span>
  );
}
