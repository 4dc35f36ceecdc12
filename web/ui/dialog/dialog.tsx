import type { DialogPopupProps } from "./dialog-popup.tsx";
import { useCover } from "./layers.ts";
import { lazyPart } from "#web/ui/lazy-part.tsx";
import { useBackCloses } from "./use-back-closes.ts";
import { useEver } from "#web/lib/use-ever.ts";

/** Loaded ahead by `preload.ts`. */
export const DialogPopup = lazyPart(async () => (await import("./dialog-popup.tsx")).default);

type DialogProps = DialogPopupProps & {
  /** False where the address says that it is open, so Back closes it already. */
  back?: boolean;
};

/** A dialog in the middle of the window, a bottom drawer on phones; its machinery loads with the first use. Back and Escape close it. */
export function Dialog({ back = true, ...props }: DialogProps) {
  const used = useEver(props.open);
  useBackCloses(props.open && back, () => props.onOpenChange(false));
  useCover(props.open);
  if (!used) return null;
  return <DialogPopup {...props} />;
}
