import type { ChatView } from "#shared/contracts/chat/chats.ts";
import type { ListScope } from "#web/features/conversation/chat-cache/cached-lists.ts";
import * as z from "zod/mini";
import { stored } from "#web/lib/storage.ts";
import { createStore, useStore } from "#web/lib/store.ts";

const storedCollapsed = stored("sidebar-collapsed", z.boolean(), false);
/** What the sidebar lists: chats of one kind, or artifacts. */
export type SidebarView = ChatView | "artifacts";

/** The words are the specification's. */
const storedView = stored("sidebar-view-mode", z.enum(["inbox", "all", "artifacts"]), "inbox");

type SidebarState = {
  /** The desktop's rail instead of the full list; kept in this browser. */
  collapsed: boolean;
  /** The phone's drawer. */
  drawerOpen: boolean;
  /** The list that is shown: the chosen tab, kept in this browser, or the archive behind 'Chats'. */
  view: SidebarView;
  /** What 'Chats' is narrowed to: an opened folder, a tag. */
  scope: ListScope | undefined;
};

const state = createStore<SidebarState>({
  collapsed: storedCollapsed.read(),
  drawerOpen: false,
  view: storedView.read(),
  scope: undefined,
});

function set(next: Partial<SidebarState>): void {
  state.set({ ...state.get(), ...next });
}

/** Collapses the sidebar to the rail, or expands it. */
export function setCollapsed(collapsed: boolean): void {
  storedCollapsed.write(collapsed);
  set({ collapsed });
}

/** Opens or closes the phone's drawer. */
export function setDrawerOpen(drawerOpen: boolean): void {
  set({ drawerOpen });
}

/** Shows another list, or a part of it; the archive and a part are left again with a reload. */
export function setView(view: SidebarView, scope?: ListScope): void {
  storedView.write(view === "archived" ? "all" : view);
  set({ view, scope });
}

/** The folder that 'Chats' is narrowed to. */
export function currentFolderId(): string | null {
  return state.get().scope?.folder ?? null;
}

/** How the sidebar stands. */
export function useSidebarState(): SidebarState {
  return useStore(state);
}
