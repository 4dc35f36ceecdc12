import type { LucideIcon } from "lucide-react";
import type { ComponentProps } from "react";
import { cx } from "./cx.ts";
import { Tooltip } from "#web/ui/toast/tooltip.tsx";

const sizes = {
  md: "size-32 touch:size-44",
  sm: "size-28 touch:size-44",
  touch: "size-44",
} as const;

export type IconButtonProps = Omit<ComponentProps<"button">, "aria-label"> & {
  /** The accessible name, and the tooltip unless one is given. */
  label: string;
  icon: LucideIcon;
  size?: keyof typeof sizes;
  /** Another text for the tooltip; `false` for none. */
  tooltip?: string | false;
  /** Keys as printed, e.g. `⌘B`. */
  shortcut?: string;
};

export function IconButton({ label, icon: Icon, size = "md", tooltip, shortcut, className, type = "button", ...rest }: IconButtonProps) {
  const button = (
    <button
      type={type}
      aria-label={label}
      className={cx(
        "inline-flex shrink-0 items-center justify-center rounded-8 text-ink2 transition-colors duration-120 hover:bg-s3 hover:text-ink aria-expanded:bg-s3 aria-expanded:text-ink disabled:pointer-events-none disabled:opacity-45",
        sizes[size],
        className,
      )}
      {...rest}
    >
      <Icon aria-hidden className="size-16 touch:size-20" />
    </button>
  );
  if (tooltip === false) return button;
  return (
    <Tooltip label={tooltip ?? label} shortcut={shortcut}>
      {button}
    </Tooltip>
  );
}
