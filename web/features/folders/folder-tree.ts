/** What the tree needs of a folder; siblings stand in the order of the list that holds them. */
export type TreeFolder = { id: string; parent_id: string | null };

/** A folder in sight: how deep it stands, from 1, and which of its siblings it is. */
export type TreeLine<T extends TreeFolder> = {
  folder: T;
  level: number;
  position: number;
  siblings: number;
  hasChildren: boolean;
  isOpen: boolean;
};

/** The folders directly in one, in their order; null for those that stand in none. */
export function childrenOf<T extends TreeFolder>(folders: readonly T[], parentId: string | null): T[] {
  return folders.filter((folder) => folder.parent_id === parentId);
}

/** The folders in sight below `root`, top to bottom: those within a closed one have no line. */
export function linesOf<T extends TreeFolder>(
  folders: readonly T[],
  isOpen: (id: string) => boolean,
  root: string | null = null,
): TreeLine<T>[] {
  const byParent = Map.groupBy(folders, ({ parent_id: parent }) => parent);
  const below = (parent: string | null, level: number): TreeLine<T>[] => {
    const siblings = byParent.get(parent) ?? [];
    return siblings.flatMap((folder, index) => {
      const hasChildren = byParent.has(folder.id);
      const opened = hasChildren && isOpen(folder.id);
      const line = { folder, level, position: index + 1, siblings: siblings.length, hasChildren, isOpen: opened };
      return [line, ...(opened ? below(folder.id, level + 1) : [])];
    });
  };
  return below(root, 1);
}

/** A folder and all that lie in it, however deep. */
export function withinOf(folders: readonly TreeFolder[], id: string): Set<string> {
  const within = new Set([id]);
  // A child may come before its parent in the list.
  for (let size = 0; size !== within.size; ) {
    size = within.size;
    for (const folder of folders) if (folder.parent_id !== null && within.has(folder.parent_id)) within.add(folder.id);
  }
  return within;
}

/** The way down to a folder, itself last; empty for one that is not there. */
export function pathOf<T extends TreeFolder>(folders: readonly T[], id: string | null): T[] {
  const path: T[] = [];
  let at = folders.find((folder) => folder.id === id);
  while (at && !path.includes(at)) {
    path.unshift(at);
    const parent = at.parent_id;
    at = folders.find((folder) => folder.id === parent);
  }
  return path;
}

/** How many levels a folder and what lies in it take: 1 where it holds no other. */
export function heightOf(folders: readonly TreeFolder[], id: string): number {
  return 1 + Math.max(0, ...childrenOf(folders, id).map((child) => heightOf(folders, child.id)));
}
