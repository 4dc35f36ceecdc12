/** Folders in folders, as both sides count their levels. */

/** What the tree needs of a folder; `parent_id` is null at the top. */
export type TreeFolder = { id: string; parent_id: string | null; workspace: string };

type Node = Pick<TreeFolder, "id" | "parent_id">;

export function folderWith<T extends Node>(folders: readonly T[], id: string | null | undefined): T | undefined {
  return folders.find((folder) => folder.id === id);
}

/** The way down to a folder, itself last; empty for one that is not there. */
export function pathOf<T extends Node>(folders: readonly T[], id: string | null): T[] {
  const path: T[] = [];
  for (let at = folderWith(folders, id); at && !path.includes(at); at = folderWith(folders, at.parent_id)) path.unshift(at);
  return path;
}

/** How many folders lead to one, itself counted; 0 for the top. */
export function depthOf(folders: readonly Node[], id: string | null): number {
  return pathOf(folders, id).length;
}

/** How many levels a folder and what lies in it take: 1 where it holds no other. */
export function heightOf(folders: readonly Node[], id: string): number {
  const below = folders.filter(({ parent_id: parentId }) => parentId === id);
  return 1 + Math.max(0, ...below.map((folder) => heightOf(folders, folder.id)));
}

/** A folder and all that lie in it, however deep. */
export function folderAndDescendants(folders: readonly Node[], id: string): Set<string> {
  const within = new Set([id]);
  // A child may come before its parent in the list.
  for (let size = 0; size !== within.size;) {
    size = within.size;
    for (const folder of folders) if (folder.parent_id !== null && within.has(folder.parent_id)) within.add(folder.id);
  }
  return within;
}

/** True of a folder itself and of what lies in it. */
export function isWithin(folders: readonly Node[], id: string | null, ancestorId: string): boolean {
  return id === ancestorId || pathOf(folders, id).some((folder) => folder.id === ancestorId);
}
