import { type MouseEvent, type ReactNode, createContext } from "react";

/** What the lazily loaded popup lends its items. */
export type MenuParts = {
  Item: (props: {
    className: string;
    disabled?: boolean;
    onClick?: () => void;
    children: ReactNode;
    "aria-keyshortcuts"?: string;
  }) => ReactNode;
  Link: (props: { className: string; href: string; onClick?: (event: MouseEvent) => void; children: ReactNode }) => ReactNode;
  Separator: (props: { className: string }) => ReactNode;
  Choices: (props: { value: string; onChange: (value: string) => void; children: ReactNode }) => ReactNode;
  Choice: (props: { value: string; className: string; children: ReactNode }) => ReactNode;
  Group: (props: { label: string; children: ReactNode }) => ReactNode;
};

export const MenuContext = createContext<MenuParts | null>(null);
