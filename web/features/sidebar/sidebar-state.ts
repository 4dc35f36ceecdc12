import { useSyncExternalStore } from "react";
import * as shape from "#web/lib/shape.ts";
import { stored } from "#web/lib/storage.ts";

const kept = stored("sidebar-collapsed", shape.flag, false);

type SidebarState = {
  /** The desktop's rail instead of the full list; kept in this browser. */
  collapsed: boolean;
  /** The phone's drawer. */
  drawerOpen: boolean;
};

let state: SidebarState = { collapsed: kept.read(), drawerOpen: false };
const listeners = new Set<() => void>();

function set(next: Partial<SidebarState>): void {
  state = { ...state, ...next };
  for (const listener of listeners) listener();
}

/** Collapses the sidebar to the rail, or expands it. */
export function setCollapsed(collapsed: boolean): void {
  kept.write(collapsed);
  set({ collapsed });
}

/** Opens or closes the phone's drawer. */
export function setDrawerOpen(drawerOpen: boolean): void {
  set({ drawerOpen });
}

/** How the sidebar stands. */
export function useSidebarState(): SidebarState {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => state,
  );
}
