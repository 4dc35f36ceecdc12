import type { LucideIcon } from "lucide-react";
import { type ComponentProps, type ReactElement, type ReactNode, cloneElement, use, useState } from "react";
import { lazyPart } from "#web/ui/lazy-part.tsx";
import { cx } from "#web/ui/cx.ts";
import { Kbd } from "#web/ui/kbd.tsx";
import { MenuContext } from "./menu-context.ts";
import { useEver } from "#web/lib/use-ever.ts";

/** Loaded ahead by `preload.ts`. */
export const MenuPopup = lazyPart(async () => (await import("./menu-popup.tsx")).default);

type Trigger = ReactElement<ComponentProps<"button">>;

type MenuProps = {
  /** The button that opens it; gets the ARIA attributes and the handlers. */
  trigger: Trigger;
  /** The menu's accessible name; the trigger's unless given. */
  label?: string;
  side?: "top" | "bottom" | "left" | "right";
  align?: "start" | "center" | "end";
  /** Pixels between the button and the menu. */
  sideOffset?: number;
  /** Shown above the items, e.g. a name and an address. */
  header?: ReactNode;
  className?: string;
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  children: ReactNode;
};

/** A menu of actions. Its machinery loads with the first use. */
export function Menu({
  trigger,
  label,
  side = "bottom",
  align = "end",
  sideOffset = 6,
  header,
  className,
  open: given,
  onOpenChange,
  children,
}: MenuProps) {
  const [own, setOwn] = useState(false);
  /** Known once it was pressed: kept from its first drawing on, every button would be drawn twice. */
  const [anchor, setAnchor] = useState<HTMLButtonElement | null>(null);
  const open = given ?? own;
  const change = (next: boolean) => {
    setOwn(next);
    onOpenChange?.(next);
  };
  const used = useEver(open);
  const button = cloneElement(trigger, {
    "aria-haspopup": "menu",
    "aria-expanded": open,
    onClick: (event) => {
      trigger.props.onClick?.(event);
      if (event.defaultPrevented) return;
      setAnchor(event.currentTarget);
      change(!open);
    },
    onKeyDown: (event) => {
      trigger.props.onKeyDown?.(event);
      if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
      event.preventDefault();
      setAnchor(event.currentTarget);
      change(true);
    },
  });
  return (
    <>
      {button}
      {used && (
        <MenuPopup
          open={open}
          onOpenChange={change}
          anchor={anchor}
          label={label}
          side={side}
          align={align}
          sideOffset={sideOffset}
          header={header}
          className={className}
        >
          {children}
        </MenuPopup>
      )}
    </>
  );
}

const itemClass =
  "flex h-36 cursor-default items-center gap-10 rounded-8 px-10 text-14 select-none outline-none data-highlighted:bg-highlight data-disabled:opacity-45 touch:h-44";

type MenuItemProps = {
  icon?: LucideIcon;
  /** Keys as printed. */
  shortcut?: string | undefined;
  danger?: boolean;
  disabled?: boolean;
  onClick?: () => void;
  children: ReactNode;
};

export function MenuItem({ icon: Icon, shortcut, danger = false, disabled = false, onClick, children }: MenuItemProps) {
  const parts = use(MenuContext);
  if (!parts) return null;
  return (
    <parts.Item className={cx(itemClass, danger ? "text-danger" : "text-ink")} disabled={disabled} onClick={onClick}>
      {Icon && <Icon aria-hidden className={cx("size-16", !danger && "text-ink2")} />}
      <span className="min-w-0 flex-1 truncate">{children}</span>
      {shortcut && <Kbd>{shortcut}</Kbd>}
    </parts.Item>
  );
}

/** An entry that leads somewhere; `onClick` may take over from the browser. */
export function MenuLink({
  icon: Icon,
  href,
  onClick,
  children,
}: {
  icon?: LucideIcon;
  href: string;
  onClick?: (event: React.MouseEvent) => void;
  children: ReactNode;
}) {
  const parts = use(MenuContext);
  if (!parts) return null;
  return (
    <parts.Link className={cx(itemClass, "text-ink")} href={href} onClick={onClick}>
      {Icon && <Icon aria-hidden className="size-16 text-ink2" />}
      <span className="min-w-0 flex-1 truncate">{children}</span>
    </parts.Link>
  );
}

export function MenuSeparator() {
  const parts = use(MenuContext);
  return parts ? <parts.Separator className="mx-10 my-6 h-1 bg-line" /> : null;
}
