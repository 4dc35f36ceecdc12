import type { LucideIcon } from "lucide-react";
import { cx } from "#web/ui/cx.ts";

interface ToolbarButtonProps {
  icon: LucideIcon;
  label: string;
  /** The label that gives the button its width while another is shown. */
  widest?: string;
  /** The accessible name, where it says more than the label. */
  name?: string;
  pressed?: boolean;
  onClick: () => void;
}

/** A small button in the head of a code block, table or diagram; on narrow screens its icon alone is seen. */
export function ToolbarButton({ icon: Icon, label, widest = label, name = label, pressed, onClick }: ToolbarButtonProps) {
  return (
    <button
      type="button"
      aria-label={name}
      aria-pressed={pressed}
      onClick={onClick}
      className={cx(
        "inline-flex h-28 min-w-28 shrink-0 items-center justify-center gap-6 rounded-6 px-6 text-12 transition-colors duration-120 hover:bg-s3 hover:text-ink touch:h-44 touch:min-w-44",
        pressed ? "text-ink" : "text-ink2",
      )}
    >
      <Icon aria-hidden className="size-14 touch:size-20" />
      <span aria-hidden className="grid max-desk:hidden">
        <span className="invisible col-start-1 row-start-1 whitespace-nowrap">{widest}</span>
        <span className="col-start-1 row-start-1 whitespace-nowrap">{label}</span>
      </span>
    </button>
  );
}
