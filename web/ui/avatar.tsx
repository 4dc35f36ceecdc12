import { type CSSProperties, useState } from "react";
import { UserRound } from "lucide-react";
import { cx } from "./cx.ts";
import { hueOf, initialsOf } from "#shared/hue.ts";

type AvatarProps = { name: string; image?: string | null; size?: 18 | 28 | 32 | 36 | 72; className?: string };

const sizes = {
  18: "size-18 text-[8px]",
  28: "size-28 text-12",
  32: "size-32 text-12",
  36: "size-36 text-13",
  72: "size-72 text-21",
} as const;

/** A person's picture, else their initials in a hue of their own. Decorative: the style sheet draws the initials, so they are no part of a button's text. */
export function Avatar({ name, image = null, size = 28, className }: AvatarProps) {
  // A picture that was replaced is gone: until the new one is known, the initials stand there.
  const [broken, setBroken] = useState<string | null>(null);
  const box = cx("inline-flex shrink-0 items-center justify-center rounded-full", sizes[size], className);
  if (image && image !== broken) return <img alt="" src={image} onError={() => setBroken(image)} className={cx(box, "object-cover")} />;
  const initials = initialsOf(name, 2);
  const style: CSSProperties & { "--hue": number } = { "--hue": hueOf(name) };
  return (
    <span aria-hidden data-text={initials} style={style} className={cx(box, "tile font-semibold before:content-[attr(data-text)]")}>
      {initials === "" && <UserRound className="size-16" />}
    </span>
  );
}
