import type { ChatView } from "#shared/contracts/chat/chats.ts";
import * as shape from "#web/lib/shape.ts";
import { stored } from "#web/lib/storage.ts";
import { createStore, useStore } from "#web/lib/store.ts";

const kept = stored("sidebar-collapsed", shape.flag, false);
/** What the sidebar lists: chats of one kind, or artifacts. */
export type SidebarView = ChatView | "artifacts";

/** The words are the specification's. */
const keptView = stored("sidebar-view-mode", shape.oneOf("inbox", "all", "artifacts"), "inbox");

type SidebarState = {
  /** The desktop's rail instead of the full list; kept in this browser. */
  collapsed: boolean;
  /** The phone's drawer. */
  drawerOpen: boolean;
  /** The list that is shown: the chosen tab, kept in this browser, or the archive behind 'Chats'. */
  view: SidebarView;
};

const state = createStore<SidebarState>({ collapsed: kept.read(), drawerOpen: false, view: keptView.read() });

function set(next: Partial<SidebarState>): void {
  state.set({ ...state.get(), ...next });
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

/** Shows another list; the archive is left again with a reload. */
export function setView(view: SidebarView): void {
  keptView.write(view === "archived" ? "all" : view);
  set({ view });
}

/** How the sidebar stands. */
export function useSidebarState(): SidebarState {
  return useStore(state);
}
