import { type ReactNode, type RefObject, useState } from "react";
import { lazyPart } from "./lazy-part.tsx";
import { useBackCloses } from "./use-back-closes.ts";

/** Loaded ahead by `preload.ts`. */
export const DialogPopup = lazyPart(async () => (await import("./dialog-popup.tsx")).default);

export type DialogProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  /** Hides the title from view, not from the accessibility tree. */
  hideTitle?: boolean;
  subtitle?: ReactNode;
  footer?: ReactNode;
  /** In px; 480 unless given. */
  width?: number;
  /** Fills this height where the window allows, in px. */
  height?: number;
  /** No padding of its own: the content draws to the edges. */
  bare?: boolean;
  /** `alertdialog` asks something that must be answered. */
  role?: "dialog" | "alertdialog";
  initialFocus?: RefObject<HTMLElement | null>;
  /** False where the address says that it is open, so that Back closes it already. */
  back?: boolean;
  children?: ReactNode;
};

/** A dialog in the middle of the window; its machinery loads with the first use. Back and Escape close it. */
export function Dialog(props: DialogProps) {
  const [used, setUsed] = useState(false);
  if (props.open && !used) setUsed(true);
  useBackCloses(props.open && props.back !== false, () => props.onOpenChange(false));
  if (!used) return null;
  return <DialogPopup {...props} />;
}
