import type { Chat } from "#shared/entities/chat.ts";
import { FOLDER_DEPTH } from "#shared/limits.ts";
import { cachedChat } from "#web/features/conversation/chat-cache/cached-lists.ts";
import { drag, type Drag, type Dragged, drawnTrees } from "./drag-state.ts";
import { dropPlaceAt } from "./drop-place.ts";
import { setFolderOpen } from "#web/features/conversation/list-state/folder-state.ts";
import { cachedFolders } from "#web/features/conversation/chat-cache/cached-folders.ts";

/** A press that moves less far is a click, in px. */
const SLACK_PX = 5;
/** A closed folder opens under a pointer that rests so long, in milliseconds. */
const OPEN_MS = 600;
/** So near to an edge a drag scrolls, and at most so far in a frame; in px. */
const EDGE_PX = 40;
const STEP_PX = 12;
/** Where a row's levels begin, right of the tree's edge, in px. */
export const TREE_INSET_PX = 12;

type Options = {
  /** All chats that go along with one that is ticked. */
  chosen: () => readonly Chat[];
  onDrop: (dragged: Dragged, over: NonNullable<Drag["over"]>["place"]) => void;
};

/** Lets a mouse or pen drag chats and folders out of a list; a finger scrolls it. Returns how to stop. */
export function startDragging(list: HTMLElement, { chosen, onDrop }: Options): () => void {
  const onDown = (event: PointerEvent) => {
    if (event.button !== 0 || event.pointerType === "touch" || event.shiftKey || event.ctrlKey || event.metaKey) return;
    const dragged = draggedAt(event.target, chosen);
    if (dragged) follow({ list, down: event, dragged, onDrop });
  };
  // The browser would drag a row's address.
  const onNative = (event: DragEvent) => event.preventDefault();
  list.addEventListener("pointerdown", onDown);
  list.addEventListener("dragstart", onNative);
  return () => {
    list.removeEventListener("pointerdown", onDown);
    list.removeEventListener("dragstart", onNative);
    drag.set(null);
  };
}

function draggedAt(target: EventTarget | null, chosen: () => readonly Chat[]): Dragged | null {
  if (!(target instanceof Element) || target.closest("button, input")) return null;
  const chatId = target.closest<HTMLElement>("[data-row]")?.dataset["row"];
  const chat = chatId === undefined ? undefined : cachedChat(chatId);
  if (chat) {
    const ticked = chosen();
    return { kind: "chats", chats: ticked.some(({ id }) => id === chat.id) ? ticked : [chat] };
  }
  const folderId = target.closest<HTMLElement>("[data-folder]")?.dataset["folder"];
  const folder = cachedFolders()?.folders.find(({ id }) => id === folderId);
  return folder ? { kind: "folder", folder } : null;
}

type Followed = { list: HTMLElement; down: PointerEvent; dragged: Dragged; onDrop: Options["onDrop"] };

function follow({ list, down, dragged, onDrop }: Followed): void {
  let isUnderWay = false;
  let frame = 0;
  let resting: { id: string; timer: ReturnType<typeof setTimeout> } | null = null;
  const rest = (id: string | null) => {
    if (resting?.id === id) return;
    clearTimeout(resting?.timer);
    resting = id === null ? null : { id, timer: setTimeout(() => setFolderOpen([id], true), OPEN_MS) };
  };
  const at = (x: number, y: number) => {
    const last = drag.get()?.over ?? null;
    const next = overAt(dragged, x, y);
    const over = isSamePlace(last, next) ? last : next;
    drag.set({ dragged, x, y, over });
    rest(over !== null && over.place !== "out" && over.place.kind === "into" ? over.place.id : null);
  };
  const scroll = () => {
    const now = drag.get();
    if (now && scrollAtEdge(now)) at(now.x, now.y);
    frame = requestAnimationFrame(scroll);
  };
  const onMove = (event: PointerEvent) => {
    if (event.pointerId !== down.pointerId) return;
    // It was released where this window gets no events.
    if (event.buttons === 0) return end();
    if (!isUnderWay && Math.hypot(event.clientX - down.clientX, event.clientY - down.clientY) < SLACK_PX) return;
    if (!isUnderWay) {
      frame = requestAnimationFrame(scroll);
      // Else a frame beside the list would keep the release to itself.
      list.setPointerCapture(down.pointerId);
    }
    isUnderWay = true;
    at(event.clientX, event.clientY);
  };
  const end = () => {
    cancelAnimationFrame(frame);
    rest(null);
    dragEnded.abort();
    drag.set(null);
    if (isUnderWay) swallowClick();
  };
  const onUp = (event: PointerEvent) => {
    if (event.pointerId !== down.pointerId) return;
    const over = drag.get()?.over;
    end();
    if (over) onDrop(dragged, over.place);
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || !isUnderWay) return;
    event.preventDefault();
    event.stopPropagation();
    end();
  };
  const dragEnded = new AbortController();
  const { signal } = dragEnded;
  window.addEventListener("pointermove", onMove, { signal });
  window.addEventListener("pointerup", onUp, { signal });
  window.addEventListener("pointercancel", end, { signal });
  window.addEventListener("blur", end, { signal });
  window.addEventListener("keydown", onKey, { signal, capture: true });
}

/** The click that ends a drag opens nothing. */
function swallowClick(): void {
  const swallow = (event: Event) => {
    event.preventDefault();
    event.stopPropagation();
  };
  window.addEventListener("click", swallow, { capture: true, once: true });
  // After a drag that Escape or a key of the mouse ended there may be none.
  setTimeout(() => window.removeEventListener("click", swallow, { capture: true }));
}

function overAt(dragged: Dragged, x: number, y: number): Drag["over"] {
  const target = document.elementFromPoint(x, y);
  if (dragged.kind === "chats" && target?.closest("[data-drop-out]")) return { tree: null, place: "out" };
  const tree = target?.closest("[data-folder-tree]");
  const drawn = tree && drawnTrees.get(tree);
  if (!tree || !drawn) return null;
  const box = tree.getBoundingClientRect();
  const place = dropPlaceAt({
    ...drawn,
    x: x - box.left - TREE_INSET_PX,
    y: y - box.top,
    dragged: dragged.kind === "folder" ? dragged.folder.id : null,
    maxDepth: FOLDER_DEPTH,
  });
  return place && { tree: drawn.id, place };
}

function isSamePlace(one: Drag["over"], other: Drag["over"]): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function scrollAtEdge({ x, y }: Drag): boolean {
  const box = document.elementFromPoint(x, y)?.closest("[data-drag-scroll]");
  const edges = box?.getBoundingClientRect();
  if (!box || !edges) return false;
  const above = EDGE_PX - (y - edges.top);
  const below = EDGE_PX - (edges.bottom - y);
  const by = above > 0 ? -above : below > 0 ? below : 0;
  if (by === 0) return false;
  const before = box.scrollTop;
  box.scrollTop += (by / EDGE_PX) * STEP_PX;
  return box.scrollTop !== before;
}
