import { type ComponentProps, type ReactElement, type ReactNode, cloneElement, useState } from "react";
import { lazyPart } from "#web/ui/lazy-part.tsx";
import { useEver } from "#web/lib/use-ever.ts";

/** Loaded ahead by `preload.ts`. */
export const PopoverPopup = lazyPart(async () => (await import("./popover-popup.tsx")).default);

type PopoverProps = {
  trigger: ReactElement<ComponentProps<"button">>;
  /** The popup's accessible name. */
  label: string;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  side?: "top" | "bottom" | "left" | "right";
  align?: "start" | "center" | "end";
  /** Pixels between the button and the panel; 8 unless given. */
  sideOffset?: number;
  /** What it stands beside instead of its button. */
  placedAt?: (button: HTMLElement) => Element | null;
  className?: string;
  children: ReactNode;
};

/** A small panel beside its button; its machinery loads with the first use. */
export function Popover({
  trigger,
  label,
  open,
  onOpenChange,
  side = "bottom",
  align = "end",
  sideOffset = 8,
  placedAt,
  className,
  children,
}: PopoverProps) {
  const [anchor, setAnchor] = useState<HTMLButtonElement | null>(null);
  const used = useEver(open);
  const button = cloneElement(trigger, {
    ref: setAnchor,
    "aria-haspopup": "dialog",
    "aria-expanded": open,
    onClick: (event) => {
      trigger.props.onClick?.(event);
      if (!event.defaultPrevented) onOpenChange(!open);
    },
  });
  return (
    <>
      {button}
      {used && (
        <PopoverPopup
          open={open}
          onOpenChange={onOpenChange}
          anchor={anchor}
          place={anchor && placedAt?.(anchor)}
          label={label}
          side={side}
          align={align}
          sideOffset={sideOffset}
          className={className}
        >
          {children}
        </PopoverPopup>
      )}
    </>
  );
}
