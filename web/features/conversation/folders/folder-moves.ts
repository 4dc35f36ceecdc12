import { heightOf, pathOf, type TreeFolder, folderAndDescendants } from "#shared/folders/tree.ts";
import { siblingsOf } from "./folder-tree.ts";

/** Where a folder stands: in which one (null: in none), and before which sibling (null: last). */
export type FolderPlace = { parentId: string | null; beforeId: string | null };

/** Where a folder stands now; null for one that is not there. */
export function placeOf(folders: readonly TreeFolder[], id: string): FolderPlace | null {
  const folder = folders.find((other) => other.id === id);
  if (!folder) return null;
  const siblings = siblingsOf(folders, folder);
  return { parentId: folder.parent_id, beforeId: siblings[siblings.indexOf(folder) + 1]?.id ?? null };
}

/** True where a folder may go and does not stand already: never into itself or what lies in it, to another workspace, or deeper than `maxDepth`. */
export function canMove(folders: readonly TreeFolder[], id: string, { parentId, beforeId }: FolderPlace, maxDepth: number): boolean {
  const now = placeOf(folders, id);
  const workspaceOf = (folderId: string) => folders.find((other) => other.id === folderId)?.workspace;
  if ([parentId, beforeId].some((other) => other !== null && workspaceOf(other) !== workspaceOf(id))) return false;
  if (now === null || beforeId === id) return false;
  if (now.parentId === parentId && now.beforeId === beforeId) return false;
  if (parentId !== null && folderAndDescendants(folders, id).has(parentId)) return false;
  return pathOf(folders, parentId).length + heightOf(folders, id) <= maxDepth;
}

/** The folders with one of them at another place. */
export function withMoved<T extends TreeFolder>(folders: readonly T[], id: string, { parentId, beforeId }: FolderPlace): T[] {
  const folder = folders.find((other) => other.id === id);
  if (!folder) return [...folders];
  const rest = folders.filter((other) => other !== folder);
  const at = beforeId === null ? -1 : rest.findIndex((other) => other.id === beforeId);
  return rest.toSpliced(at === -1 ? rest.length : at, 0, { ...folder, parent_id: parentId });
}

/** What a key does to a folder's place: up and down among its siblings, out of its parent, into the sibling above. */
export type FolderStep = "up" | "down" | "out" | "in";

/** Where a step leads; null where there is no such place. */
export function stepDestination(folders: readonly TreeFolder[], id: string, step: FolderStep): FolderPlace | null {
  const folder = folders.find((other) => other.id === id);
  if (!folder) return null;
  const parentId = folder.parent_id;
  const siblings = siblingsOf(folders, folder);
  const at = siblings.indexOf(folder);
  const above = siblings[at - 1];
  switch (step) {
    case "up":
      return above ? { parentId, beforeId: above.id } : null;
    case "down":
      return siblings[at + 1] ? { parentId, beforeId: siblings[at + 2]?.id ?? null } : null;
    case "in":
      return above ? { parentId: above.id, beforeId: null } : null;
    case "out": {
      const parent = folders.find((other) => other.id === parentId);
      // Behind the folder it leaves.
      return parent ? { parentId: parent.parent_id, beforeId: placeOf(folders, parent.id)?.beforeId ?? null } : null;
    }
  }
}
