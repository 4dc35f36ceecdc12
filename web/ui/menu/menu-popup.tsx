import { Menu } from "@base-ui/react/menu";
import type { ReactNode } from "react";
import { cx } from "#web/ui/cx.ts";
import { MenuContext, type MenuParts } from "./menu-context.ts";

type MenuPopupProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  anchor: HTMLButtonElement | null;
  label: string | undefined;
  side: "top" | "bottom" | "left" | "right";
  align: "start" | "center" | "end";
  sideOffset: number;
  header: ReactNode;
  className: string | undefined;
  children: ReactNode;
};

const parts: MenuParts = {
  Item: (props) => <Menu.Item {...props} />,
  Link: (props) => <Menu.LinkItem closeOnClick {...props} />,
  Separator: (props) => <Menu.Separator {...props} />,
  Choices: ({ onChange, ...props }) => (
    <Menu.RadioGroup {...props} onValueChange={(value: unknown) => typeof value === "string" && onChange(value)} />
  ),
  Choice: (props) => <Menu.RadioItem closeOnClick {...props} />,
  Group: ({ label, children }) => (
    <Menu.Group>
      <Menu.GroupLabel className="flex h-28 items-center px-8 text-12 font-medium text-ink2">{label}</Menu.GroupLabel>
      {children}
    </Menu.Group>
  ),
};

export default function MenuPopup({
  open,
  onOpenChange,
  anchor,
  label,
  side,
  align,
  sideOffset,
  header,
  className,
  children,
}: MenuPopupProps) {
  return (
    <Menu.Root open={open} onOpenChange={(next) => onOpenChange(next)}>
      <Menu.Portal>
        <Menu.Positioner
          anchor={anchor}
          side={side}
          align={align}
          sideOffset={sideOffset}
          collisionPadding={8}
          className="z-50 outline-none"
        >
          <Menu.Popup
            aria-label={label ?? anchor?.getAttribute("aria-label") ?? undefined}
            finalFocus={() => focusAfter(anchor)}
            className={cx(
              "popup max-h-(--available-height) min-w-176 overflow-y-auto rounded-14 border border-line bg-pop p-6 text-ink shadow-overlay outline-none",
              className,
            )}
          >
            {header}
            <MenuContext value={parts}>{children}</MenuContext>
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}

/** Back to the button, unless what was chosen already took the focus. */
function focusAfter(anchor: HTMLElement | null): HTMLElement | false {
  const active = document.activeElement;
  const taken = active !== null && active !== document.body && active.closest('[role="menu"]') === null;
  return taken || !anchor ? false : anchor;
}
