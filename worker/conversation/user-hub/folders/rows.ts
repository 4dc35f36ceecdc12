/** Folders and tags as they are stored, and what is counted in them. */
import type { Folder, Tag } from "#shared/entities/folders/folder.ts";
import { currentCursor } from "../list/chat-list.ts";
import type { StoredFolder, StoredTag } from "#worker/conversation/hub/folders.ts";
import { normalizeName } from "./tree.ts";

/** All folders; siblings in their order. */
export function readFolders(sql: SqlStorage): StoredFolder[] {
  return sql.exec<StoredFolder>("SELECT id, name, parent_id, workspace, position, created_at FROM folders ORDER BY position, id").toArray();
}

/** Writes a folder in the place of what there was of it. */
export function putFolder(sql: SqlStorage, { id, name, parent_id: parentId, workspace, position, created_at: at }: StoredFolder): void {
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
export function readTags(sql: SqlStorage): StoredTag[] {
  return sql.exec<StoredTag>("SELECT id, name, hue, created_at FROM tags ORDER BY folded").toArray();
}

/** Writes a tag in the place of what there was of it. */
export function putTag(sql: SqlStorage, { id, name, hue, created_at: at }: StoredTag): void {
  sql.exec(
    "INSERT OR REPLACE INTO tags (id, name, folded, hue, created_at) VALUES (?, ?, ?, ?, ?)",
    id,
    name,
    normalizeName(name),
    hue,
    at,
  );
}

/** How many chats, and how many of them unread, each folder and tag has, by its id. */
export type Counts = ReadonlyMap<string, { chats: number; unread: number }>;

type FiledChat = { folder_id: string | null; tags: string; isUnread: boolean };

/** More changed chats than this are read anew with all others. */
const CHANGES_MAX = 200;

/** Counts what folders and tags hold: the first time from the list's index, then from the chats that changed since. */
export function createCounts(sql: SqlStorage): () => Counts {
  let known: { cursor: number; filed: Map<string, FiledChat>; counts: Counts } | null = null;
  return () => {
    const cursor = currentCursor(sql);
    if (known?.cursor === cursor) return known.counts;
    const changes = known && known.cursor < cursor ? readChanges(sql, known.cursor) : null;
    const filed = known && changes ? known.filed : readFiledChats(sql);
    for (const { id, isFiled, ...chat } of changes ?? []) {
      if (isFiled) filed.set(id, chat);
      else filed.delete(id);
    }
    known = { cursor, filed, counts: count(filed) };
    return known.counts;
  };
}

/** All chats with a folder or tags that are not archived: no row is read but the index's. */
function readFiledChats(sql: SqlStorage): Map<string, FiledChat> {
  const filed = new Map<string, FiledChat>();
  for (const isUnread of [true, false]) {
    const rows = sql.exec<{ id: string; folder_id: string | null; tags: string }>(
      `SELECT id, folder_id, tags FROM chats WHERE place ${isUnread ? "= 0" : "IN (1, 2)"} AND (folder_id IS NOT NULL OR tags <> '[]')`,
    );
    for (const { id, ...chat } of rows) filed.set(id, { ...chat, isUnread });
  }
  return filed;
}

type Change = FiledChat & { id: string; isFiled: boolean };

/** The chats that changed above a cursor; null where they are too many. */
function readChanges(sql: SqlStorage, cursor: number): Change[] | null {
  const rows = sql
    .exec<{ id: string; folder_id: string | null; tags: string; place: number | null }>(
      "SELECT id, folder_id, tags, place FROM chats WHERE changed > ? LIMIT +?",
      cursor,
      CHANGES_MAX + 1,
    )
    .toArray();
  if (rows.length > CHANGES_MAX) return null;
  return rows.map(({ place, ...chat }) => ({
    ...chat,
    isUnread: place === 0,
    isFiled: place !== null && place < 3 && (chat.folder_id !== null || chat.tags !== "[]"),
  }));
}

function count(filed: ReadonlyMap<string, FiledChat>): Counts {
  const counts = new Map<string, { chats: number; unread: number }>();
  for (const { folder_id: folderId, tags, isUnread } of filed.values()) {
    const ids: string[] = tags === "[]" ? [] : JSON.parse(tags);
    for (const id of folderId === null ? ids : [folderId, ...ids]) {
      const of = counts.get(id) ?? { chats: 0, unread: 0 };
      counts.set(id, { chats: of.chats + 1, unread: of.unread + Number(isUnread) });
    }
  }
  return counts;
}

/** A folder as its user sees it. */
export function toFolder(folder: StoredFolder, counts: Counts): Folder {
  const { chats, unread } = counts.get(folder.id) ?? { chats: 0, unread: 0 };
  return { ...folder, chat_count: chats, unread_count: unread };
}

/** A tag as its user sees it. */
export function toTag(tag: StoredTag, counts: Counts): Tag {
  return { ...tag, chat_count: counts.get(tag.id)?.chats ?? 0 };
}
