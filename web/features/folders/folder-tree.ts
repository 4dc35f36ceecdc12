/** What the tree needs of a folder; siblings stand in the order of the list that holds them. */
export type TreeFolder = { id: string; parent_id: string | null; workspace: string };

/** A folder in sight: how deep it stands, from 1, and which of its siblings it is. */
export type TreeLine<T extends TreeFolder> = {
  folder: T;
  level: number;
  position: number;
  siblings: number;
  hasChildren: boolean;
  isOpen: boolean;
};

/** A folder's siblings in their order, itself among them: those in the same folder, at the top those of its workspace. */
export function siblingsOf<T extends TreeFolder>(folders: readonly T[], { parent_id: parent, workspace }: TreeFolder): T[] {
  return folders.filter((folder) => folder.parent_id === parent && folder.workspace === workspace);
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
  for (let size = 0; size !== within.size;) {
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
  const children = folders.filter((folder) => folder.parent_id === id);
  return 1 + Math.max(0, ...children.map((child) => heightOf(folders, child.id)));
}

export type Counts = { chats: number; unread: number };

/** What each folder holds with all that lie in it. */
export function totalsOf(folders: readonly (TreeFolder & { chat_count: number; unread_count: number })[]): ReadonlyMap<string, Counts> {
  const byId = new Map(folders.map((folder) => [folder.id, folder]));
  const totals = new Map(folders.map(({ id }) => [id, { chats: 0, unread: 0 }]));
  for (const { id, chat_count: chats, unread_count: unread } of folders) {
    const seen = new Set<string>();
    for (let at = byId.get(id); at && !seen.has(at.id); at = at.parent_id === null ? undefined : byId.get(at.parent_id)) {
      seen.add(at.id);
      const total = totals.get(at.id);
      if (!total) continue;
      total.chats += chats;
      total.unread += unread;
    }
  }
  return totals;
}
