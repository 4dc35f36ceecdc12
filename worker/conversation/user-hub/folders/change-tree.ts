/** What is done to folders themselves: each call in a transaction of its caller's. */
import type { FolderWorkspace } from "#shared/entities/folders/folder.ts";
import { FOLDER_DEPTH, FOLDER_NAME_LENGTH, FOLDERS_MAX, UNDO_MS } from "#shared/limits.ts";
import type { Outcome } from "#worker/platform/errors/app-error.ts";
import { changeRows, chunkIds } from "../list/bulk.ts";
import type { FolderPlace, StoredFolder } from "#worker/conversation/hub/folders.ts";
import { putFolder, readFolders } from "./rows.ts";
import { depthOf, folderWith, heightOf, isWithin } from "#shared/folders/tree.ts";
import { availableName, isNameTaken, type Level, positionsAt, siblingsAt } from "./tree.ts";

/** A folder that is not there. */
export const NO_FOLDER: Outcome<never> = { ok: false, code: "NOT_FOUND", message: "This folder is gone." };
const TOO_DEEP = `Folders nest ${FOLDER_DEPTH} deep at most.`;
const FULL = `You have ${FOLDERS_MAX} folders already. Delete some first.`;

function refuse(message: string): Outcome<never> {
  return { ok: false, code: "INVALID_INPUT", message };
}

function taken(name: string): Outcome<never> {
  return { ok: false, code: "CONFLICT", message: `There is a folder “${name}” here already.` };
}

type NewFolder = { id: string; name: string; parentId: string | null; workspace: FolderWorkspace };

/** Makes a folder, last among its siblings. */
export function createFolder(sql: SqlStorage, { id, name, parentId, workspace }: NewFolder): Outcome<StoredFolder> {
  const folders = readFolders(sql);
  const known = folderWith(folders, id);
  if (known) return known.name === name && known.parent_id === parentId ? { ok: true, value: known } : { ok: false, code: "CONFLICT" };
  const parent = folderWith(folders, parentId);
  if (parentId !== null && !parent) return NO_FOLDER;
  if (folders.length >= FOLDERS_MAX) return refuse(FULL);
  if (depthOf(folders, parentId) >= FOLDER_DEPTH) return refuse(TOO_DEEP);
  const level: Level = { parent_id: parentId, workspace: parent?.workspace ?? workspace };
  const siblings = siblingsAt(folders, level);
  if (isNameTaken(siblings, name)) return taken(name);
  const position = (siblings.at(-1)?.position ?? 0) + 1;
  const folder = { id, name, ...level, position, created_at: new Date().toISOString() };
  putFolder(sql, folder);
  return { ok: true, value: folder };
}

type Change = { id: string; name?: string | undefined; place: FolderPlace };

/** Renames or moves a folder. */
export function changeFolder(sql: SqlStorage, { id, name, place }: Change): Outcome<StoredFolder> {
  const folders = readFolders(sql);
  const folder = folderWith(folders, id);
  if (!folder) return NO_FOLDER;
  const target = targetOf(folders, folder, place);
  if (!target.ok) return target;
  const { parentId, index } = target.value;
  const others = siblingsAt(folders, { parent_id: parentId, workspace: folder.workspace }).filter((one) => one.id !== id);
  const renamed = { ...folder, name: name ?? folder.name, parent_id: parentId };
  if (isNameTaken(others, renamed.name)) return taken(renamed.name);
  const written = index === null ? [renamed] : positionsAt(others, index, renamed);
  for (const one of written) putFolder(sql, one);
  return { ok: true, value: folderWith(written, id) ?? renamed };
}

type Target = { parentId: string | null; index: number | null };

/** Where a folder goes: among which siblings, and at which place of the others; null where it stays. */
function targetOf(folders: readonly StoredFolder[], folder: StoredFolder, { parentId, beforeId, afterId }: FolderPlace): Outcome<Target> {
  const besideId = beforeId ?? afterId;
  if (parentId === undefined && besideId === undefined) return { ok: true, value: { parentId: folder.parent_id, index: null } };
  const beside = folderWith(folders, besideId);
  if (besideId !== undefined && !beside) return NO_FOLDER;
  const isUnclear =
    (beforeId !== undefined && afterId !== undefined) || (beside && parentId !== undefined && beside.parent_id !== parentId);
  if (isUnclear) return refuse("Name one place for the folder.");
  const intoId = beside ? beside.parent_id : (parentId ?? null);
  const into = folderWith(folders, intoId);
  if (intoId !== null && !into) return NO_FOLDER;
  if (isWithin(folders, intoId, folder.id) || besideId === folder.id) return refuse("A folder can't go into itself.");
  const workspace = beside?.workspace ?? into?.workspace ?? folder.workspace;
  if (workspace !== folder.workspace) return refuse("A folder stays in its workspace.");
  if (depthOf(folders, intoId) + heightOf(folders, folder.id) > FOLDER_DEPTH) return refuse(TOO_DEEP);
  const others = siblingsAt(folders, { parent_id: intoId, workspace }).filter(({ id }) => id !== folder.id);
  const at = others.findIndex(({ id }) => id === besideId);
  return { ok: true, value: { parentId: intoId, index: at === -1 ? others.length : beforeId === undefined ? at + 1 : at } };
}

/** What a deletion needs to be taken back; of each folder that moves up its name before, and the one it got there. */
type Removal = { folder: StoredFolder; below: { id: string; name: string; given: string }[] };

/** Deletes a folder; what is in it moves up, a folder of a name that is taken there with a number. */
export function removeFolder(sql: SqlStorage, id: string): Outcome<{ token: string; chats: number }> {
  const folders = readFolders(sql);
  const folder = folderWith(folders, id);
  if (!folder) return NO_FOLDER;
  const below = siblingsAt(folders, { parent_id: id, workspace: folder.workspace });
  const removal: Removal = { folder, below: [] };
  const chats = chatsIn(sql, id);
  sql.exec("DELETE FROM folders WHERE id = ?", id);
  let level = siblingsAt(folders, folder).filter((one) => one.id !== id);
  const from = level.findIndex(({ position }) => position > folder.position);
  for (const [n, one] of below.entries()) {
    const moved = { ...one, parent_id: folder.parent_id, name: availableName(level, one.name, FOLDER_NAME_LENGTH) };
    removal.below.push({ id: one.id, name: one.name, given: moved.name });
    for (const written of positionsAt(level, from === -1 ? level.length : from + n, moved)) putFolder(sql, written);
    level = siblingsAt(readFolders(sql), folder);
  }
  changeRows(sql, chats, folder.parent_id === null ? "folder_id = NULL" : `folder_id = '${folder.parent_id}'`);
  return { ok: true, value: { token: keepUndo(sql, removal, chats), chats: chats.length } };
}

/** The chats right in a folder, archived ones too; `among` these where they are named. */
function chatsIn(sql: SqlStorage, folderId: string | null, among: readonly string[] | null = null): string[] {
  const found =
    among === null
      ? sql.exec<{ id: string }>("SELECT id FROM chats INDEXED BY chats_by_place WHERE folder_id = ?", folderId)
      : sql.exec<{ id: string }>(
          "SELECT id FROM chats WHERE id IN (SELECT value FROM json_each(?)) AND folder_id IS ? AND deleted = 0",
          JSON.stringify(among),
          folderId,
        );
  return found.toArray().map(({ id }) => id);
}

function keepUndo(sql: SqlStorage, removal: Removal, chats: readonly string[]): string {
  const token = crypto.randomUUID();
  const at = Date.now();
  sql.exec("DELETE FROM folder_undo WHERE at <= ?", at - UNDO_MS);
  const bodies = [JSON.stringify(removal), ...chunkIds(chats).map((part) => part.join(" "))];
  for (const [part, body] of bodies.entries())
    sql.exec("INSERT INTO folder_undo (token, part, body, at) VALUES (?, ?, ?, ?)", token, part, body, at);
  return token;
}

/** Takes a deletion back: the folder stands where it was, with those of its folders and chats that are still where they moved to. */
export function restoreFolder(sql: SqlStorage, token: string): Outcome<StoredFolder> {
  const [first, ...parts] = sql
    .exec<{ body: string }>("SELECT body FROM folder_undo WHERE token = ? AND at > ? ORDER BY part", token, Date.now() - UNDO_MS)
    .toArray();
  if (!first) return { ok: false, code: "UNDO_EXPIRED" };
  const { folder, below }: Removal = JSON.parse(first.body);
  const folders = readFolders(sql);
  if (folders.length >= FOLDERS_MAX) return refuse(FULL);
  const returning = below.filter(({ id }) => folderWith(folders, id)?.parent_id === folder.parent_id);
  const height = 1 + Math.max(0, ...returning.map(({ id }) => heightOf(folders, id)));
  const hasRoom =
    (folder.parent_id === null || folderWith(folders, folder.parent_id)) && depthOf(folders, folder.parent_id) + height <= FOLDER_DEPTH;
  const parentId = hasRoom ? folder.parent_id : null;
  const others = siblingsAt(folders, { ...folder, parent_id: parentId }).filter(({ id }) => returning.every((one) => one.id !== id));
  const restored = { ...folder, parent_id: parentId, name: availableName(others, folder.name, FOLDER_NAME_LENGTH) };
  putFolder(sql, restored);
  const placed: StoredFolder[] = [];
  for (const { id, name, given } of returning) {
    const moved = folderWith(folders, id);
    if (!moved) continue;
    const wanted = moved.name === given ? name : moved.name;
    placed.push({ ...moved, parent_id: restored.id, name: availableName(placed, wanted, FOLDER_NAME_LENGTH) });
  }
  for (const one of placed) putFolder(sql, one);
  const chats = parts.flatMap(({ body }) => chatsIn(sql, folder.parent_id, body.split(" ")));
  changeRows(sql, chats, `folder_id = '${restored.id}'`);
  sql.exec("DELETE FROM folder_undo WHERE token = ?", token);
  return { ok: true, value: restored };
}
