/** Which folder chats are in and which tags they have: each call in a transaction of its caller's. */
import type { BulkResult } from "#shared/contracts/chat/inbox.ts";
import { TAG_HUES, type FolderWorkspace } from "#shared/entities/folders/folder.ts";
import type { WorkspaceId } from "#shared/entities/workspace.ts";
import { BULK_CHATS, TAGS_A_CHAT, TAGS_MAX } from "#shared/limits.ts";
import type { Outcome } from "#worker/platform/errors/app-error.ts";
import { changeRows, selectionCondition, filingAction, storeUndo, chunkIds, refusal, type Selection } from "../list/bulk.ts";
import { BEGUN_MS } from "../list/chat-list.ts";
import { workspaceCondition } from "../list/chat-views.ts";
import { NO_FOLDER } from "./change-tree.ts";
import type { Filing, StoredTag } from "#worker/conversation/hub/folders.ts";
import { putTag } from "./rows.ts";
import { normalizeName } from "./tree.ts";

const ELSEWHERE = "This chat is not in the folder's workspace.";
const FULL = `You have ${TAGS_MAX} tags already. Delete some first.`;
const TOO_MANY = `A chat may have ${TAGS_A_CHAT} tags.`;

type Listed = { id: string; folder_id: string | null; tags: string; isHere: number };

function workspaceOf(sql: SqlStorage, folderId: string): FolderWorkspace | null {
  return sql.exec<{ workspace: FolderWorkspace }>("SELECT workspace FROM folders WHERE id = ?", folderId).toArray()[0]?.workspace ?? null;
}

/** The chosen chats that are in the list; `isHere` says whether a workspace shows them. */
function listed(sql: SqlStorage, chats: Selection, workspace: WorkspaceId): Map<string, Listed> {
  const { where, value } = selectionCondition(chats);
  const rows = sql.exec<Listed>(
    `SELECT id, folder_id, tags, ${workspaceCondition(workspace)} AS isHere FROM chats WHERE deleted = 0 AND ${where}`,
    value,
  );
  return new Map(rows.toArray().map((row) => [row.id, row]));
}

type Verdict = { taken: Listed[]; results: BulkResult[]; refused: number };

/** Which of the chosen chats can be changed. An answer names each chat that was asked for by its id; of a view refused ones alone. */
function judge(
  sql: SqlStorage,
  chats: Selection,
  { workspace, refuse }: { workspace: WorkspaceId; refuse: (chat: Listed) => string | null },
): Verdict {
  const known = listed(sql, chats, workspace);
  const refusals = new Map<string, BulkResult>();
  const taken: Listed[] = [];
  for (const chat of known.values()) {
    const reason = refuse(chat);
    if (reason === null) taken.push(chat);
    else refusals.set(chat.id, refusal(chat.id, "INVALID_INPUT", reason));
  }
  if ("view" in chats) return { taken, results: [...refusals.values()].slice(0, BULK_CHATS), refused: refusals.size };
  const results = [...new Set(chats.ids)].map(
    (id): BulkResult => refusals.get(id) ?? (known.has(id) ? { id, ok: true } : refusal(id, "NOT_FOUND")),
  );
  return { taken, results, refused: results.filter(({ ok }) => !ok).length };
}

/** What became of chats; `token` takes back what was done with all that a view holds. */
export type Filed = { results: BulkResult[]; refused: number; changed: string[]; token: string | null };

/** Puts chats into a folder of their workspace, or with null out of theirs. */
export function fileChats(sql: SqlStorage, chats: Selection, folderId: string | null): Outcome<Filed> {
  const workspace = folderId === null ? "all" : workspaceOf(sql, folderId);
  if (workspace === null) return NO_FOLDER;
  const { taken, ...verdict } = judge(sql, chats, { workspace, refuse: ({ isHere }) => (isHere ? null : ELSEWHERE) });
  const moved = taken.filter((chat) => chat.folder_id !== folderId);
  // What is filed by hand stays there, though it was begun elsewhere.
  for (const part of chunkIds(taken.map(({ id }) => id)))
    sql.exec("DELETE FROM begun_in WHERE chat_id IN (SELECT value FROM json_each(?))", JSON.stringify(part));
  const changed = moved.map(({ id }) => id);
  const token = "view" in chats && changed.length > 0 ? keepFilingUndo(sql, moved, folderId) : null;
  changeRows(sql, changed, folderId === null ? "folder_id = NULL" : `folder_id = '${folderId}'`);
  return { ok: true, value: { ...verdict, changed, token } };
}

function keepFilingUndo(sql: SqlStorage, moved: readonly Listed[], folderId: string | null): string {
  const byFolder = Map.groupBy(moved, (chat) => chat.folder_id);
  return storeUndo(
    sql,
    [...byFolder].map(([from, chats]) => ({ action: filingAction({ from, to: folderId }), ids: chats.map(({ id }) => id) })),
  );
}

/** Notes what a chat has from its first report on. */
export function fileNewChat(sql: SqlStorage, { chat_id: chatId, folder_id: folderId, tags }: Filing): void {
  sql.exec(
    "INSERT OR REPLACE INTO begun_in (chat_id, folder_id, tags, at) VALUES (?, ?, ?, ?)",
    chatId,
    folderId,
    JSON.stringify(tags),
    Date.now(),
  );
}

/** Deletes what was noted for chats that were never reported. */
export function forgetBegun(sql: SqlStorage): void {
  sql.exec("DELETE FROM begun_in WHERE at <= ?", Date.now() - BEGUN_MS);
}

/** A chat is begun in a folder of the workspace that it begins in. */
export function beginChat(
  sql: SqlStorage,
  { chatId, folderId, workspace }: { chatId: string; folderId: string; workspace: FolderWorkspace },
): Outcome<null> {
  const own = workspaceOf(sql, folderId);
  if (own === null) return NO_FOLDER;
  if (own !== workspace) return { ok: false, code: "INVALID_INPUT", message: ELSEWHERE };
  // The same request again is about a chat that may have been filed elsewhere since.
  if (listed(sql, { ids: [chatId] }, "all").size > 0) return { ok: true, value: null };
  forgetBegun(sql);
  fileNewChat(sql, { chat_id: chatId, folder_id: folderId, tags: [] });
  return { ok: true, value: null };
}

/** A chat that is made of another is begun in that one's folder, unless that is a team's: the new one is its maker's alone. */
export function followChat(sql: SqlStorage, { chatId, sourceId }: { chatId: string; sourceId: string }): void {
  const folderId = listed(sql, { ids: [sourceId] }, "all").get(sourceId)?.folder_id ?? null;
  if (folderId === null || workspaceOf(sql, folderId) !== "personal") return;
  forgetBegun(sql);
  fileNewChat(sql, { chat_id: chatId, folder_id: folderId, tags: [] });
}

/** The tag of a name, made where there is none. */
export function ensureTag(sql: SqlStorage, name: string, hue?: number): Outcome<StoredTag> {
  const known = tagNamed(sql, name);
  if (known) return { ok: true, value: known };
  const { n } = sql.exec<{ n: number }>("SELECT COUNT(*) AS n FROM tags").one();
  if (n >= TAGS_MAX) return { ok: false, code: "INVALID_INPUT", message: FULL };
  // One after the other: of few tags no two look the same.
  const own = TAG_HUES.find((one) => one === hue) ?? TAG_HUES[n % TAG_HUES.length] ?? TAG_HUES[0];
  const tag = { id: crypto.randomUUID(), name, hue: own, created_at: new Date().toISOString() };
  putTag(sql, tag);
  return { ok: true, value: tag };
}

function tagNamed(sql: SqlStorage, name: string): StoredTag | undefined {
  return sql.exec<StoredTag>("SELECT id, name, hue, created_at FROM tags WHERE folded = ?", normalizeName(name)).toArray()[0];
}

function tagWith(sql: SqlStorage, id: string): StoredTag | undefined {
  return sql.exec<StoredTag>("SELECT id, name, hue, created_at FROM tags WHERE id = ?", id).toArray()[0];
}

const NO_TAG: Outcome<never> = { ok: false, code: "NOT_FOUND", message: "This tag is gone." };

type TagChange = { id: string; name: string | undefined; hue: number | undefined; merge: boolean };

/** Renames or recolours a tag, or makes one of it and the one that has the name. */
export function changeTag(sql: SqlStorage, { id, name, hue, merge }: TagChange): Outcome<StoredTag> {
  const tag = tagWith(sql, id);
  if (!tag) return NO_TAG;
  const other = name === undefined ? undefined : tagNamed(sql, name);
  if (other && other.id !== id) {
    if (!merge) return { ok: false, code: "CONFLICT", message: `There is a tag “${other.name}” already.` };
    const either = `json_group_array(DISTINCT CASE value WHEN '${id}' THEN '${other.id}' ELSE value END)`;
    changeRows(sql, taggedWith(sql, id), `tags = (SELECT ${either} FROM json_each(tags))`);
    sql.exec("DELETE FROM tags WHERE id = ?", id);
    const updated = { ...other, hue: hue ?? other.hue };
    putTag(sql, updated);
    return { ok: true, value: updated };
  }
  const changed = { ...tag, name: name ?? tag.name, hue: hue ?? tag.hue };
  putTag(sql, changed);
  return { ok: true, value: changed };
}

/** Deletes a tag and takes it off all chats. */
export function removeTag(sql: SqlStorage, id: string): Outcome<null> {
  if (!tagWith(sql, id)) return NO_TAG;
  changeRows(sql, taggedWith(sql, id), `tags = (SELECT json_group_array(value) FROM json_each(tags) WHERE value <> '${id}')`);
  sql.exec("DELETE FROM tags WHERE id = ?", id);
  return { ok: true, value: null };
}

/** The chats with a tag; its id is one that the table of tags has. */
function taggedWith(sql: SqlStorage, id: string): string[] {
  return sql
    .exec<{ id: string }>("SELECT id FROM chats INDEXED BY chats_by_place WHERE instr(tags, ?) > 0", `"${id}"`)
    .toArray()
    .map((row) => row.id);
}

type Tagging = { chats: Selection; add: readonly string[]; remove: readonly string[] };

/** Puts tags on chats by their names and takes others off by their ids. */
export function tagChats(sql: SqlStorage, { chats, add, remove }: Tagging): Outcome<Filed & { tags: StoredTag[] }> {
  const tags: StoredTag[] = [];
  for (const name of add) {
    const tag = ensureTag(sql, name);
    if (!tag.ok) return tag;
    tags.push(tag.value);
  }
  const afterOf = (before: string): string[] => {
    const ids: string[] = JSON.parse(before);
    return [...new Set([...ids.filter((tag) => !remove.includes(tag)), ...tags.map((tag) => tag.id)])];
  };
  const refuse = (chat: Listed) => (afterOf(chat.tags).length > TAGS_A_CHAT ? TOO_MANY : null);
  const { taken, ...verdict } = judge(sql, chats, { workspace: "all", refuse });
  const changed: string[] = [];
  // Many chats have the same few tags: these are written in one pass.
  for (const [before, alike] of Map.groupBy(taken, (chat) => chat.tags)) {
    const after = JSON.stringify(afterOf(before));
    if (after === before) continue;
    const ids = alike.map(({ id }) => id);
    changeRows(sql, ids, `tags = '${after}'`);
    for (const id of ids) changed.push(id);
  }
  return { ok: true, value: { ...verdict, changed, token: null, tags } };
}
