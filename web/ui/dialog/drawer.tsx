import type { DrawerPopupProps } from "./drawer-popup.tsx";
import { useCover } from "./layers.ts";
import { lazyPart } from "#web/ui/lazy-part.tsx";
import { useBackCloses } from "./use-back-closes.ts";
import { useEver } from "#web/lib/use-ever.ts";

/** Loaded ahead by `preload.ts`. */
export const DrawerPopup = lazyPart(async () => (await import("./drawer-popup.tsx")).default);

type DrawerProps = DrawerPopupProps & {
  /** False where the address says that it is open, so Back closes it already. */
  back?: boolean;
  /** False for a picker's own, which gives way to another picker instead of keeping it shut. */
  covers?: boolean;
};

/** A panel from an edge: the sidebar from the left at 320 px, pickers and dialogs from the bottom. Swipe, Escape and Back close it. */
export function Drawer({ back = true, covers = true, ...props }: DrawerProps) {
  const used = useEver(props.open);
  useBackCloses(props.open && back, () => props.onOpenChange(false));
  useCover(props.open && covers);
  if (!used) return null;
  return <DrawerPopup {...props} />;
}
