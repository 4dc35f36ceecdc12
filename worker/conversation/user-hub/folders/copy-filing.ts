/** All folders, tags and filings of a user, for an export; and how another account, or the same, takes them over. */
import { FOLDER_DEPTH, FOLDER_NAME_LENGTH, FOLDERS_MAX, TAG_NAME_LENGTH, TAGS_A_CHAT } from "#shared/limits.ts";
import { fileNewChat, ensureTag, fileChats, forgetBegun, tagChats } from "./filing.ts";
import type { Filing, StoredFolder, StoredTag } from "#worker/conversation/hub/folders.ts";
import { putFolder, readFolders, readTags } from "./rows.ts";
import { depthOf, folderWith } from "#shared/folders/tree.ts";
import { normalizeName, siblingsAt } from "./tree.ts";

/** Filings of chats above an id, in the order of their ids. */
export function readFilings(sql: SqlStorage, { after, limit }: { after: string; limit: number }): Filing[] {
  return sql
    .exec<{ id: string; folder_id: string | null; tags: string }>(
      "SELECT id, folder_id, tags FROM chats WHERE id > ? AND deleted = 0 AND (folder_id IS NOT NULL OR tags <> '[]') ORDER BY id LIMIT ?",
      after,
      limit,
    )
    .toArray()
    .map(({ id, folder_id: folderId, tags }) => ({ chat_id: id, folder_id: folderId, tags: JSON.parse(tags) }));
}

type Exported = { folders: readonly StoredFolder[]; tags: readonly StoredTag[]; filings: readonly Filing[] };

/**
 * Takes over what an export said; true where that made a folder or a tag. A folder of a name that its place has already is that one;
 * so is a tag. Call it in a transaction.
 */
export function importFilings(sql: SqlStorage, { folders, tags, filings }: Exported): boolean {
  const here = readFolders(sql);
  const before = here.length + readTags(sql).length;
  const folderIds = new Map<string, string>();
  for (const folder of parentsFirst(folders)) {
    folderIds.set(folder.id, importFolder(sql, folder, { here, parentId: folderIds.get(folder.parent_id ?? "") || null }));
  }
  const names = new Map<string, string>();
  for (const { id, name: written, hue } of tags) {
    const name = written.trim().slice(0, TAG_NAME_LENGTH);
    if (name === "") continue;
    names.set(id, name);
    ensureTag(sql, name, hue);
  }
  forgetBegun(sql);
  for (const filing of filings) {
    const folderId = folderIds.get(filing.folder_id ?? "") || null;
    const own = filing.tags.flatMap((id) => names.get(id) ?? []).slice(0, TAGS_A_CHAT);
    const isListed = sql.exec("SELECT 1 FROM chats WHERE id = ? AND deleted = 0", filing.chat_id).toArray().length > 0;
    if (!isListed) {
      const ids = own.flatMap((name) => {
        const tag = ensureTag(sql, name);
        return tag.ok ? [tag.value.id] : [];
      });
      fileNewChat(sql, { chat_id: filing.chat_id, folder_id: folderId, tags: ids });
      continue;
    }
    if (folderId !== null) fileChats(sql, { ids: [filing.chat_id] }, folderId);
    tagChats(sql, { chats: { ids: [filing.chat_id] }, add: own, remove: [] });
  }
  return here.length + readTags(sql).length > before;
}

/** Each folder after the one that it is in; those that are in each other come last, as if they were in none. */
function parentsFirst(folders: readonly StoredFolder[]): StoredFolder[] {
  const ids = new Set(folders.map(({ id }) => id));
  const placed = new Set<string>();
  const ordered: StoredFolder[] = [];
  for (let left = folders.toSorted((one, other) => one.position - other.position); left.length > 0;) {
    const next = left.filter(({ parent_id: parent }) => parent === null || !ids.has(parent) || placed.has(parent));
    if (next.length === 0) return [...ordered, ...left.map((folder) => ({ ...folder, parent_id: null }))];
    for (const { id } of next) placed.add(id);
    ordered.push(...next);
    left = left.filter(({ id }) => !placed.has(id));
  }
  return ordered;
}

type Place = { /** The folders that there are; a new one is added. */ here: StoredFolder[]; parentId: string | null };

/** The id that the folder has here; empty where there is no room for more. One that stands in another workspace here is not this one. */
function importFolder(sql: SqlStorage, folder: StoredFolder, { here, parentId }: Place): string {
  const workspace = folderWith(here, parentId)?.workspace ?? folder.workspace;
  const known = folderWith(here, folder.id);
  if (known?.workspace === workspace) return known.id;
  const name = folder.name.trim().slice(0, FOLDER_NAME_LENGTH) || "Folder";
  const level = { parent_id: depthOf(here, parentId) < FOLDER_DEPTH ? parentId : null, workspace };
  const siblings = siblingsAt(here, level);
  const same = siblings.find((one) => normalizeName(one.name) === normalizeName(name));
  if (same) return same.id;
  if (here.length >= FOLDERS_MAX) return "";
  const id = known ? crypto.randomUUID() : folder.id;
  const made = { ...folder, ...level, id, name, position: (siblings.at(-1)?.position ?? 0) + 1 };
  putFolder(sql, made);
  here.push(made);
  return id;
}
