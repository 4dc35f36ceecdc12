import { useSyncExternalStore } from "react";
import { MOBILE_BREAKPOINT_PX } from "#shared/limits.ts";

const query = window.matchMedia(`(max-width: ${MOBILE_BREAKPOINT_PX}px)`);

function subscribe(listener: () => void): () => void {
  query.addEventListener("change", listener);
  return () => query.removeEventListener("change", listener);
}

/** True at widths where drawers replace dropdowns and dialogs. */
export function useIsMobile(): boolean {
  return useSyncExternalStore(subscribe, () => query.matches);
}
