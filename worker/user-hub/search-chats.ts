/** The search index's chats: their titles and marks, and up to where their texts were read. */
import type { RoomTexts } from "../chat-room/texts-since.ts";
import { ChatRow } from "../chat-room/rpc.ts";
import { dropPlaces, putMessage, putTodos } from "./search-places.ts";
import { wordsOf } from "./search-tokens.ts";

/** Changed rows of the list that one call takes over. */
const LIST_ROWS = 3_000;
/** Messages that are not final, remembered to be read once more; of more than these the newest. */
const OPEN_MAX = 100;
/** Texts of lost chats that one call takes out of the index: hits they are none from the moment of the loss. */
const PURGED_PLACES = 300;

/** What a lost chat's place in `search_chats` is kept under until its texts are gone: no chat's id. */
const GONE = "gone ";

type ListRow = {
  id: string;
  version: number;
  changed: number;
  row: string;
  is_read: number;
  is_pinned: number;
  archived: number;
  deleted: number;
};

const LISTED = "SELECT id, version, changed, row, is_read, is_pinned, archived, deleted FROM chats";

/** A chat whose texts are to be read: those from `from` on, and `again` those that were not final when last read. */
export type StaleChat = { number: number; chatId: string; stale: number; from: number; again: number[]; open: number[] };

/** Takes over what changed in the list of chats: titles and marks, and which chats' texts are to be read. False where more is left. */
export function followList(sql: SqlStorage, limit = LIST_ROWS): boolean {
  const { cursor } = sql.exec<{ cursor: number }>("SELECT cursor FROM search_state").one();
  const page = sql.exec<ListRow>(`${LISTED} WHERE changed > ? ORDER BY changed LIMIT ?`, cursor, limit).toArray();
  const last = page.at(-1);
  if (!last) return true;
  // Many chats that were marked at once changed at one cursor: they are followed as a whole, as the next page begins after it.
  const isCut = page.length === limit;
  const together = isCut ? sql.exec<ListRow>(`${LISTED} WHERE changed = ?`, last.changed).toArray() : [];
  for (const row of [...page.filter(({ changed }) => !isCut || changed < last.changed), ...together]) {
    if (row.deleted === 0) followChat(sql, row);
    else forgetChat(sql, row.id);
  }
  sql.exec("UPDATE search_state SET cursor = ?", last.changed);
  return !isCut;
}

function followChat(sql: SqlStorage, listed: ListRow): void {
  const row = ChatRow.parse(JSON.parse(listed.row));
  const title = wordsOf(row.title).join(" ");
  const marks = marksOf(listed, row).join(" ");
  const card = `${title}\n${marks}`;
  const known = findIndexed(sql, listed.id);
  if (!known) {
    sql.exec(
      "INSERT INTO search_chats (chat_id, card, is_own, stale) VALUES (?, ?, ?, ?)",
      listed.id,
      card,
      Number(row.permissionLevel === "owner"),
      listed.changed,
    );
    sql.exec("INSERT INTO search_cards (rowid, title, marks) VALUES (last_insert_rowid(), ?, ?)", title, marks);
    return;
  }
  if (known.card !== card) {
    sql.exec("UPDATE search_chats SET card = ? WHERE number = ?", card, known.number);
    sql.exec("DELETE FROM search_cards WHERE rowid = ?", known.number);
    sql.exec("INSERT INTO search_cards (rowid, title, marks) VALUES (?, ?, ?)", known.number, title, marks);
  }
  if (listed.version > known.version) sql.exec("UPDATE search_chats SET stale = ? WHERE number = ?", listed.changed, known.number);
}

function marksOf(listed: ListRow, row: ChatRow): string[] {
  const marks = {
    unread: listed.is_read === 0,
    pinned: listed.is_pinned === 1,
    archived: listed.archived === 1,
    shared: row.isShared || row.hasBeenShared,
  };
  return Object.entries(marks).flatMap(([mark, isSet]) => (isSet ? [mark] : []));
}

function findIndexed(sql: SqlStorage, chatId: string): { number: number; card: string; version: number } | undefined {
  return sql
    .exec<{ number: number; card: string; version: number }>("SELECT number, card, version FROM search_chats WHERE chat_id = ?", chatId)
    .toArray()[0];
}

/** Takes a chat out of the index: nothing of it is found from now on, and its texts go bit by bit. */
export function forgetChat(sql: SqlStorage, chatId: string): void {
  const known = findIndexed(sql, chatId);
  if (!known) return;
  sql.exec("DELETE FROM search_cards WHERE rowid = ?", known.number);
  sql.exec("UPDATE search_chats SET chat_id = ?, stale = NULL WHERE number = ?", `${GONE}${known.number}`, known.number);
  purgeGone(sql);
}

/** Deletes some texts of chats that are gone; false where more are left. */
export function purgeGone(sql: SqlStorage): boolean {
  const gone = sql
    .exec<{ number: number }>("SELECT number FROM search_chats WHERE chat_id >= ? AND chat_id < 'gone!' LIMIT 1", GONE)
    .toArray()[0];
  if (!gone) return true;
  if (dropPlaces(sql, gone.number, PURGED_PLACES)) sql.exec("DELETE FROM search_chats WHERE number = ?", gone.number);
  return false;
}

/** Chats whose texts are to be read, the last changed first; others' chats only where they were read before, unless `all`. */
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

/** Takes over a page of a chat's texts; answers what is to be read next of it, or null where that was all or the chat is gone. */
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
  sql.exec(
    "UPDATE search_chats SET version = ?, stale = CASE WHEN stale > ? THEN stale END WHERE number = ?",
    page.version,
    chat.stale,
    chat.number,
  );
  return null;
}
