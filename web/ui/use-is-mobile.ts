import { useSyncExternalStore } from "react";
import { MOBILE_BREAKPOINT_PX } from "#shared/limits.ts";

function watch(condition: string): () => boolean {
  const query = window.matchMedia(condition);
  const subscribe = (listener: () => void) => {
    query.addEventListener("change", listener);
    return () => query.removeEventListener("change", listener);
  };
  return () => useSyncExternalStore(subscribe, () => query.matches);
}

/** True at widths where drawers replace dropdowns and dialogs. */
export const useIsMobile = watch(`(max-width: ${MOBILE_BREAKPOINT_PX}px)`);

/** True below that width, where the settings too are a drawer. */
export const useIsBelowMobile = watch(`not all and (min-width: ${MOBILE_BREAKPOINT_PX}px)`);

/** True at widths where a dialog has no room for a list and what is chosen in it side by side. */
export const useIsStepwise = watch("not all and (min-width: 900px)");

/** True at widths where a composer beside the sidebar has no room for all of its buttons. */
export const useIsNarrow = watch("(max-width: 1023px)");
