import { Check, type LucideIcon } from "lucide-react";
import { type ReactNode, use } from "react";
import { MenuContext } from "./menu-context.ts";

/** Entries of a menu, one of them chosen. */
export function MenuChoices({ value, onChange, children }: { value: string; onChange: (value: string) => void; children: ReactNode }) {
  const parts = use(MenuContext);
  return (
    parts && (
      <parts.Choices value={value} onChange={onChange}>
        {children}
      </parts.Choices>
    )
  );
}

type MenuChoiceProps = { value: string; label: string; note: string; tile: ReactNode };

/** A tile, a name and a line below it; a check where it is the chosen one. */
export function MenuChoice({ value, label, note, tile }: MenuChoiceProps) {
  const parts = use(MenuContext);
  if (!parts) return null;
  return (
    <parts.Choice
      value={value}
      className="group/choice flex h-52 cursor-default items-center gap-12 rounded-8 px-8 text-ink select-none outline-none aria-checked:bg-s4 data-highlighted:bg-highlight"
    >
      {tile}
      <span className="min-w-0 flex-1">
        <span className="block truncate text-14/20 font-medium">{label}</span>
        <span className="block truncate text-12/16 text-ink2">{note}</span>
      </span>
      <Check aria-hidden className="invisible size-16 shrink-0 text-accent group-aria-checked/choice:visible" />
    </parts.Choice>
  );
}

export function MenuGroup({ label, children }: { label: string; children: ReactNode }) {
  const parts = use(MenuContext);
  return parts && <parts.Group label={label}>{children}</parts.Group>;
}

/** An action below the choices, in their columns. */
export function MenuChoiceAction({ icon: Icon, onClick, children }: { icon: LucideIcon; onClick: () => void; children: ReactNode }) {
  const parts = use(MenuContext);
  if (!parts) return null;
  return (
    <parts.Item
      className="flex h-36 cursor-default items-center gap-12 rounded-8 px-8 text-14 text-ink select-none outline-none data-highlighted:bg-highlight touch:h-44"
      onClick={onClick}
    >
      <span className="inline-flex w-28 shrink-0 justify-center text-ink2">
        <Icon aria-hidden className="size-16" />
      </span>
      {children}
    </parts.Item>
  );
}
