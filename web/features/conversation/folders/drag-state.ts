import { useSyncExternalStore } from "react";
import type { Chat } from "#shared/entities/chat.ts";
import type { Folder } from "#shared/entities/folders/folder.ts";
import { createStore, useStore } from "#web/lib/store.ts";
import type { DropPlace } from "./drop-place.ts";
import type { TreeLine } from "./folder-tree.ts";

export type Dragged = { kind: "chats"; chats: readonly Chat[] } | { kind: "folder"; folder: Folder };

/** A drag under way: what, where the pointer is, and over what; `out` is out of all folders. */
export type Drag = { dragged: Dragged; x: number; y: number; over: { tree: string | null; place: DropPlace | "out" } | null };

export const drag = createStore<Drag | null>(null);

/** The drag under way. */
export function useDrag(): Drag | null {
  return useStore(drag);
}

/** What the drag under way is over; the same as long as that stays so, however the pointer moves. */
export function useDraggedOver(): Drag["over"] {
  return useSyncExternalStore(drag.subscribe, () => drag.get()?.over ?? null);
}

/** What each drawn tree shows, for finding the row under the pointer. */
export const drawnTrees = new WeakMap<
  Element,
  { id: string; lines: readonly TreeLine<Folder>[]; folders: readonly Folder[]; rowPx: number }
>();
