/** The tree as it is shown: siblings stand in the order of the list that holds them. */
import type { TreeFolder } from "#shared/folders/tree.ts";

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
