import { canMove, type FolderPlace } from "./folder-moves.ts";
import { pathOf, type TreeFolder } from "#shared/folders/tree.ts";
import type { TreeLine } from "./folder-tree.ts";

/** So far one level stands right of the other, in px. */
export const INDENT_PX = 16;

/** The upper and lower part of a row that mean the gap there, as a share of its height. */
const GAP_SHARE = 0.25;

/** Where what is dragged would go: into a folder, or a folder to a place among others, shown as a line above row `row` at a level. */
export type DropPlace = { kind: "into"; id: string } | { kind: "between"; place: FolderPlace; row: number; level: number };

type Pointed<T extends TreeFolder> = {
  folders: readonly T[];
  lines: readonly TreeLine<T>[];
  /** The pointer from the first row's top left corner, in px; levels begin at the left edge. */
  x: number;
  y: number;
  rowPx: number;
  /** The folder that is dragged; null where chats are. */
  dragged: string | null;
  maxDepth: number;
};

/** Where a pointer would drop; null where it may not. */
export function dropPlaceAt<T extends TreeFolder>({ folders, lines, x, y, rowPx, dragged, maxDepth }: Pointed<T>): DropPlace | null {
  const row = Math.floor(y / rowPx);
  const line = lines[row];
  if (!line) return null;
  const { id } = line.folder;
  if (dragged === null) return { kind: "into", id };
  const share = y / rowPx - row;
  const gap = share < GAP_SHARE ? row : share > 1 - GAP_SHARE ? row + 1 : null;
  if (gap === null) {
    return canMove(folders, dragged, { parentId: id, beforeId: null }, maxDepth) ? { kind: "into", id } : null;
  }
  const { place, level } = placeInGap(folders, lines, gap, x);
  return canMove(folders, dragged, place, maxDepth) ? { kind: "between", place, row: gap, level } : null;
}

/** Of the levels that may begin in a gap, the one the pointer is at: a folder may follow the row above, or any in which that is the last. */
function placeInGap<T extends TreeFolder>(
  folders: readonly T[],
  lines: readonly TreeLine<T>[],
  gap: number,
  x: number,
): { place: FolderPlace; level: number } {
  const [above, below] = [lines[gap - 1], lines[gap]];
  const lowest = below?.level ?? 1;
  const highest = Math.max(lowest, above?.level ?? 1);
  const level = Math.max(lowest, Math.min(highest, Math.floor(x / INDENT_PX) + 1));
  if (below && level === below.level && (level > 1 || below.folder.workspace === above?.folder.workspace || gap === 0))
    return { place: { parentId: below.folder.parent_id, beforeId: below.folder.id }, level };
  // The first folder of another workspace comes after the last of one's own.
  const follows = above && pathOf(folders, above.folder.id).at(level - above.level - 1);
  return { place: { parentId: follows?.parent_id ?? null, beforeId: null }, level };
}
