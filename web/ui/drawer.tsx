import { type ReactNode, useState } from "react";
import { lazyPart } from "./lazy-part.tsx";
import { useBackCloses } from "./use-back-closes.ts";

/** Loaded ahead by `preload.ts`. */
export const DrawerPopup = lazyPart(async () => (await import("./drawer-popup.tsx")).default);

export type DrawerProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  side: "left" | "bottom";
  title: string;
  /** Hides the title row; the title still names the drawer. */
  hideTitle?: boolean;
  footer?: ReactNode;
  className?: string;
  /** False where the address says that it is open, so that Back closes it already. */
  back?: boolean;
  children?: ReactNode;
};

/** A panel from an edge: the sidebar from the left at 320 px, pickers and dialogs from the bottom. Swipe, Escape and Back close it. */
export function Drawer(props: DrawerProps) {
  const [used, setUsed] = useState(false);
  if (props.open && !used) setUsed(true);
  useBackCloses(props.open && props.back !== false, () => props.onOpenChange(false));
  if (!used) return null;
  return <DrawerPopup {...props} />;
}
