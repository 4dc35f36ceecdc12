/** Folders and tags as they are stored, and what is counted in them. */
import type { Folder, Tag } from "#shared/entities/folders/folder.ts";
import { currentCursor } from "../list/chat-list.ts";
import type { KeptFolder, KeptTag } from "./rpc.ts";
import { foldName } from "./tree.ts";

/** All folders; siblings in their order. */
export function readFolders(sql: SqlStorage): KeptFolder[] {
  return sql.exec<KeptFolder>("SELECT id, name, parent_id, workspace, position, created_at FROM folders ORDER BY position, id").toArray();
}

/** Writes a folder in the place of what there was of it. */
export function putFolder(sql: SqlStorage, { id, name, parent_id: parentId, workspace, position, created_at: at }: KeptFolder): void {
  sql.exec(
    "INSERT OR REPLACE INTO folders (id, name, parent_id, workspace, position, created_at) VALUES (?, ?, ?, ?, ?, ?)",
    id,
    name,
    parentId,
    workspace,
    position,
    at,
  );
}

/** All tags by their names. */
export function readTags(sql: SqlStorage): KeptTag[] {
  return sql.exec<KeptTag>("SELECT id, name, hue, created_at FROM tags ORDER BY folded").toArray();
}

/** Writes a tag in the place of what there was of it. */
export function putTag(sql: SqlStorage, { id, name, hue, created_at: at }: KeptTag): void {
  sql.exec("INSERT OR REPLACE INTO tags (id, name, folded, hue, created_at) VALUES (?, ?, ?, ?, ?)", id, name, foldName(name), hue, at);
}

/** How many chats, and how many of them unread, each folder and tag has, by its id. */
type Counts = Map<string, { chats: number; unread: number }>;

/** Counts what folders and tags hold, once for as long as no chat changes. */
export function createCounts(sql: SqlStorage): () => Counts {
  let counted: { cursor: number; counts: Counts } | null = null;
  return () => {
    const cursor = currentCursor(sql);
    if (counted?.cursor !== cursor) counted = { cursor, counts: count(sql) };
    return counted.counts;
  };
}

/** Read from the list's index alone. */
function count(sql: SqlStorage): Counts {
  const counts: Counts = new Map();
  const groups = sql.exec<{ folder_id: string | null; tags: string; unread: number; n: number }>(
    `SELECT folder_id, tags, place = 0 AS unread, COUNT(*) AS n FROM chats
     WHERE place IN (0, 1, 2) AND (folder_id IS NOT NULL OR tags <> '[]') GROUP BY folder_id, tags, place = 0`,
  );
  for (const { folder_id: folderId, tags, unread, n } of groups) {
    const ids: string[] = JSON.parse(tags);
    for (const id of folderId === null ? ids : [folderId, ...ids]) {
      const before = counts.get(id) ?? { chats: 0, unread: 0 };
      counts.set(id, { chats: before.chats + n, unread: before.unread + (unread === 1 ? n : 0) });
    }
  }
  return counts;
}

/** A folder as its user sees it. */
export function toFolder(folder: KeptFolder, counts: Counts): Folder {
  const { chats, unread } = counts.get(folder.id) ?? { chats: 0, unread: 0 };
  return { ...folder, chat_count: chats, unread_count: unread };
}

/** A tag as its user sees it. */
export function toTag(tag: KeptTag, counts: Counts): Tag {
  return { ...tag, chat_count: counts.get(tag.id)?.chats ?? 0 };
}
