import { Popover } from "@base-ui/react/popover";
import type { ReactNode } from "react";
import { cx } from "#web/ui/cx.ts";

type PopoverPopupProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  anchor: HTMLElement | null;
  /** What it stands beside instead of its anchor. */
  place?: Element | null | undefined;
  label: string;
  side: "top" | "bottom" | "left" | "right";
  align: "start" | "center" | "end";
  sideOffset?: number;
  className: string | undefined;
  children: ReactNode;
};

export default function PopoverPopup({
  open,
  onOpenChange,
  anchor,
  place,
  label,
  side,
  align,
  sideOffset = 8,
  className,
  children,
}: PopoverPopupProps) {
  return (
    <Popover.Root
      open={open}
      onOpenChange={(next, details) => {
        // A press on the button is the button's own business: it toggles.
        const target = details.event.target;
        if (!next && target instanceof Node && anchor?.contains(target) && details.reason === "outside-press") return details.cancel();
        return onOpenChange(next);
      }}
    >
      <Popover.Portal>
        <Popover.Positioner
          anchor={place ?? anchor}
          side={side}
          align={align}
          sideOffset={sideOffset}
          collisionPadding={place ? 4 : 8}
          {...(place && { collisionAvoidance: { side: side === "right" ? "none" : "shift", align: "shift" } })}
          className="z-50"
        >
          <Popover.Popup
            aria-label={label}
            finalFocus={() => anchor}
            className={cx(
              "popup max-w-[calc(100vw-16px)] rounded-14 border border-line bg-pop p-16 text-ink shadow-overlay outline-none",
              className,
            )}
          >
            {children}
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}
