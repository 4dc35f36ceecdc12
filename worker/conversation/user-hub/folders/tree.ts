/** Folders as a tree: where one may go, and what it may be called there. */
import type { StoredFolder } from "#worker/conversation/hub/folders.ts";

type Folders = readonly StoredFolder[];
/** What siblings have in common. */
export type Level = Pick<StoredFolder, "parent_id" | "workspace">;

/** The folders of one level in their order. */
export function siblingsAt(folders: Folders, { parent_id: parentId, workspace }: Level): StoredFolder[] {
  return folders
    .filter((folder) => folder.parent_id === parentId && folder.workspace === workspace)
    .toSorted((one, other) => one.position - other.position || (one.id < other.id ? -1 : 1));
}

/** A name as it is compared. */
export function normalizeName(name: string): string {
  return name.normalize("NFC").toLowerCase();
}

/** True where a sibling has the name already. */
export function isNameTaken(siblings: Folders, name: string): boolean {
  return siblings.some((sibling) => normalizeName(sibling.name) === normalizeName(name));
}

/** The name, or where a sibling has it the name with a number. */
export function availableName(siblings: Folders, name: string, length: number): string {
  if (!isNameTaken(siblings, name)) return name;
  for (let number = 2; ; number += 1) {
    const suffix = ` (${number})`;
    const next = name.slice(0, length - suffix.length) + suffix;
    if (!isNameTaken(siblings, next)) return next;
  }
}

/** The positions that put a folder among its siblings at an index: its own, or where there is no room between two, those of all. */
export function positionsAt(siblings: Folders, index: number, folder: StoredFolder): StoredFolder[] {
  const before = siblings[index - 1]?.position;
  const after = siblings[index]?.position;
  const between = before === undefined ? (after ?? 1) - 1 : after === undefined ? before + 1 : (before + after) / 2;
  const hasRoom = (before === undefined || between > before) && (after === undefined || between < after);
  if (hasRoom) return [{ ...folder, position: between }];
  return siblings.toSpliced(index, 0, folder).map((one, position) => ({ ...one, position }));
}
