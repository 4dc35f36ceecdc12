/** The search index's chats: their titles and marks, and up to where their texts were read. */
import { ChatRow, type RoomTexts } from "#worker/conversation/room/rpc.ts";
import { freeNumber, placeTime } from "./search-numbers.ts";
import { deletePlaces, putMails, putMessage, putTodos } from "./search-places.ts";
import { wordsOf } from "#worker/platform/db/search-tokens.ts";

/** Changed rows of the list that one call takes over. */
const LIST_ROWS = 3_000;
/** Messages that are not final, remembered to be read once more; of more than these the newest. */
const OPEN_MAX = 100;
/** Texts of lost chats that one transaction takes out of the index: hits they are none from the moment of the loss. */
const PURGED_PLACES = 300;

/** What a lost chat's place in `search_chats` is kept under until its texts are gone: no chat's id. */
const REMOVED_PREFIX = "gone ";

type ListRow = {
  id: string;
  version: number;
  changed: number;
  row: string;
  last_at: string;
  is_read: number;
  is_pinned: number;
  archived: number;
  deleted: number;
  folder_id: string | null;
  tags: string;
};

const LISTED = "SELECT id, version, changed, row, last_at, is_read, is_pinned, archived, deleted, folder_id, tags FROM chats";

/** A chat whose texts wait to be read: those from `from` on, and `again` those that were not final when last read. */
export type StaleChat = { number: number; chatId: string; stale: number; from: number; again: number[]; open: number[] };

/** Takes over what changed in the list of chats: titles and marks, and which chats' texts wait to be read. False where more is left. */
export function followList(sql: SqlStorage, limit = LIST_ROWS): boolean {
  const { cursor, chat_id: chatId } = sql.exec<{ cursor: number; chat_id: string }>("SELECT cursor, chat_id FROM search_state").one();
  // Many chats that were marked at once changed at one cursor: among them, ids say how far it came.
  const page = sql.exec<ListRow>(`${LISTED} WHERE (changed, id) > (?, ?) ORDER BY changed, id LIMIT ?`, cursor, chatId, limit).toArray();
  const last = page.at(-1);
  if (!last) return true;
  for (const row of page) {
    if (row.deleted === 0) followChat(sql, row);
    else forgetChat(sql, row.id);
  }
  sql.exec("UPDATE search_state SET cursor = ?, chat_id = ?", last.changed, last.id);
  return page.length < limit;
}

function followChat(sql: SqlStorage, listed: ListRow): void {
  const row = ChatRow.parse(JSON.parse(listed.row));
  const title = wordsOf(row.title).join(" ");
  const marks = marksOf(listed, row).join(" ");
  const card = `${listed.last_at}\n${title}\n${marks}`;
  const known = findIndexed(sql, listed.id);
  if (!known) {
    const { number } = sql
      .exec<{ number: number }>(
        "INSERT INTO search_chats (chat_id, card, is_own, stale) VALUES (?, '', ?, ?) RETURNING number",
        listed.id,
        Number(row.permissionLevel === "owner"),
        listed.changed,
      )
      .one();
    putCard(sql, number, { card, title, marks, at: listed.last_at });
    return;
  }
  if (known.card !== card) {
    dropCard(sql, known);
    putCard(sql, known.number, { card, title, marks, at: listed.last_at });
  }
  if (listed.version > known.version) sql.exec("UPDATE search_chats SET stale = ? WHERE number = ?", listed.changed, known.number);
}

function putCard(
  sql: SqlStorage,
  number: number,
  { card, title, marks, at }: { card: string; title: string; marks: string; at: string },
): void {
  const id = freeNumber(sql, "search_chats", placeTime(Date.parse(at)));
  sql.exec("UPDATE search_chats SET card = ?, card_id = ? WHERE number = ?", card, id, number);
  sql.exec("INSERT INTO search_cards (rowid, title, marks) VALUES (?, ?, ?)", id, title, marks);
}

function dropCard(sql: SqlStorage, { number, card_id: id }: Indexed): void {
  if (id === null) return;
  sql.exec("DELETE FROM search_cards WHERE rowid = ?", id);
  sql.exec("UPDATE search_chats SET card_id = NULL WHERE number = ?", number);
}

/** The word with which a chat's card names its folder or one of its tags. */
export function filedMark(id: string): string {
  return `f${id.replaceAll("-", "").toLowerCase()}`;
}

function marksOf(listed: ListRow, row: ChatRow): string[] {
  const marks = {
    unread: listed.is_read === 0,
    pinned: listed.is_pinned === 1,
    archived: listed.archived === 1,
    shared: row.isShared || row.hasBeenShared,
    public: row.public && row.permissionLevel === "owner",
  };
  const set = Object.entries(marks).flatMap(([mark, isSet]) => (isSet ? [mark] : []));
  const tags: string[] = JSON.parse(listed.tags);
  return [...set, ...(listed.folder_id === null ? [] : [filedMark(listed.folder_id)]), ...tags.map(filedMark)];
}

type Indexed = { number: number; card: string; card_id: number | null; version: number };

function findIndexed(sql: SqlStorage, chatId: string): Indexed | undefined {
  return sql.exec<Indexed>("SELECT number, card, card_id, version FROM search_chats WHERE chat_id = ?", chatId).toArray()[0];
}

/** Takes a chat out of the index: nothing of it is found from now on, and its texts go bit by bit (`purgeGone`). */
export function forgetChat(sql: SqlStorage, chatId: string): void {
  const known = findIndexed(sql, chatId);
  if (!known) return;
  dropCard(sql, known);
  sql.exec(
    "UPDATE search_chats SET chat_id = ?, card = '', stale = NULL WHERE number = ?",
    `${REMOVED_PREFIX}${known.number}`,
    known.number,
  );
}

/** Deletes some texts of chats that are gone; false where more are left. */
export function purgeRemovedChats(sql: SqlStorage): boolean {
  const removedNumber = firstRemovedChat(sql);
  if (removedNumber !== null && deletePlaces(sql, removedNumber, PURGED_PLACES))
    sql.exec("DELETE FROM search_chats WHERE number = ?", removedNumber);
  return !hasChatsToPurge(sql);
}

/** True while texts of chats that are gone are left. */
export function hasChatsToPurge(sql: SqlStorage): boolean {
  return firstRemovedChat(sql) !== null;
}

function firstRemovedChat(sql: SqlStorage): number | null {
  const query = "SELECT number FROM search_chats WHERE chat_id >= ? AND chat_id < 'gone!' LIMIT 1";
  return sql.exec<{ number: number }>(query, REMOVED_PREFIX).toArray()[0]?.number ?? null;
}

/** Chats whose texts wait to be read, the last changed first; others' chats only where they were read before, unless `all`. */
export function staleChats(sql: SqlStorage, { all, limit }: { all: boolean; limit: number }): StaleChat[] {
  return sql
    .exec<{ number: number; chat_id: string; stale: number; next_seq: number; open: string }>(
      `SELECT number, chat_id, stale, next_seq, open FROM search_chats
       WHERE stale IS NOT NULL AND (? OR is_own = 1 OR version >= 0) ORDER BY stale DESC LIMIT ?`,
      Number(all),
      limit,
    )
    .toArray()
    .map(({ number, chat_id: chatId, stale, next_seq: from, open }) => ({ number, chatId, stale, from, again: toNumbers(open), open: [] }));
}

function toNumbers(json: string): number[] {
  const parsed: unknown = JSON.parse(json);
  return Array.isArray(parsed) ? parsed.filter((value) => typeof value === "number") : [];
}

/** Takes over a page of a chat's texts; answers what to read next of it, or null where that was all or the chat is gone. */
export function putTexts(sql: SqlStorage, chat: StaleChat, { page, userId }: { page: RoomTexts; userId: string }): StaleChat | null {
  if (findIndexed(sql, chat.chatId)?.number !== chat.number) return null;
  for (const message of page.texts) putMessage(sql, chat.number, { message, userId });
  const last = page.isEnd ? Number.MAX_SAFE_INTEGER : (page.texts.at(-1)?.seq ?? 0);
  const open = [...chat.open, ...page.texts.flatMap(({ isFinal, seq }) => (isFinal ? [] : [seq]))].slice(-OPEN_MAX);
  const again = chat.again.filter((seq) => seq > last);
  sql.exec(
    "UPDATE search_chats SET next_seq = ?, open = ? WHERE number = ?",
    page.nextSeq,
    JSON.stringify([...again, ...open]),
    chat.number,
  );
  if (!page.isEnd) return { ...chat, from: page.nextSeq, again, open };
  putTodos(sql, chat.number, page.todos);
  if (page.mails !== undefined) putMails(sql, chat.number, { mails: page.mails, userId });
  sql.exec(
    "UPDATE search_chats SET version = ?, stale = CASE WHEN stale > ? THEN stale END WHERE number = ?",
    page.version,
    chat.stale,
    chat.number,
  );
  return null;
}
