/** The search index's places: messages, todos and mails, each found by its words. */
import { freeNumber, placeTime } from "./search-numbers.ts";
import { withComposedAccents, wordsOf } from "#worker/platform/db/search-tokens.ts";
import type { RoomText, RoomTexts } from "#worker/conversation/room/rpc.ts";

type Author = { id: string | null; name: string | null; modelId: string | null };
type Place = {
  chat: number;
  kind: "message" | "todo" | "email";
  placeId: string;
  part: number;
  at: string;
  text: string;
  author: Author;
  isMine: boolean;
};

const NOBODY: Author = { id: null, name: null, modelId: null };

/** Takes over a message as it now reads, all of it: a very long one stands at several places. */
export function putMessage(sql: SqlStorage, chat: number, { message, userId }: { message: RoomText; userId: string }): void {
  const chunks = splitIntoChunks(withComposedAccents(message.text));
  const stored = sql
    .exec<{ id: number; text: string; author_id: string | null; model_id: string | null }>(
      "SELECT id, text, author_id, model_id FROM search_places WHERE chat = ? AND kind = 'message' AND place_id = ? ORDER BY part",
      chat,
      message.id,
    )
    .toArray();
  const author = { id: message.authorId, name: message.authorName, modelId: message.authorId === null ? message.modelId : null };
  const isSame =
    stored.length === chunks.length &&
    stored.every((place, part) => place.text === chunks[part] && place.author_id === author.id && place.model_id === author.modelId);
  if (isSame) return;
  for (const { id } of stored) dropPlace(sql, id);
  // The newest number is found first: among chunks of one message that should be its first.
  for (const [part, text] of [...chunks.entries()].toReversed()) {
    putPlace(sql, { chat, kind: "message", placeId: message.id, part, at: message.at, text, author, isMine: author.id === userId });
  }
}

/** Takes over a chat's todo list as it now stands. */
export function putTodos(sql: SqlStorage, chat: number, todos: RoomTexts["todos"]): void {
  const stored = sql
    .exec<{ id: number; place_id: string; text: string }>(
      "SELECT id, place_id, text FROM search_places WHERE chat = ? AND kind = 'todo'",
      chat,
    )
    .toArray();
  const texts = new Map(todos.map(({ id, text }) => [id, withComposedAccents(text)]));
  for (const place of stored) {
    if (texts.get(place.place_id) === place.text) texts.delete(place.place_id);
    else dropPlace(sql, place.id);
  }
  for (const { id, at } of todos) {
    const text = texts.get(id);
    if (text) putPlace(sql, { chat, kind: "todo", placeId: id, part: 0, at, text, author: NOBODY, isMine: false });
  }
}

/** Takes over a chat's mails: those known as they now read, and of others all that are gone where these are all. Null takes all out. */
export function putMails(
  sql: SqlStorage,
  chat: number,
  { mails, userId }: { mails: NonNullable<RoomTexts["mails"]> | null; userId: string },
): void {
  const stored = sql
    .exec<{ id: number; place_id: string; text: string }>(
      "SELECT id, place_id, text FROM search_places WHERE chat = ? AND kind = 'email'",
      chat,
    )
    .toArray();
  const texts = new Map((mails?.known ?? []).map((mail) => [mail.id, { ...mail, text: withComposedAccents(mail.text) }]));
  for (const place of stored) {
    const mail = texts.get(place.place_id);
    if (mail?.text === place.text) texts.delete(place.place_id);
    else if (mail || mails === null || mails.isComplete) dropPlace(sql, place.id);
  }
  for (const { id, at, text, authorId, authorName } of texts.values()) {
    const author = { id: authorId, name: authorName, modelId: null };
    putPlace(sql, { chat, kind: "email", placeId: id, part: 0, at, text, author, isMine: authorId === userId });
  }
}

/** Takes up to `limit` places of a chat out of the index; false where more are left. */
export function deletePlaces(sql: SqlStorage, chat: number, limit: number): boolean {
  const ids = sql.exec<{ id: number }>("SELECT id FROM search_places WHERE chat = ? LIMIT ?", chat, limit).toArray();
  for (const { id } of ids) dropPlace(sql, id);
  return ids.length < limit;
}

function dropPlace(sql: SqlStorage, id: number): void {
  sql.exec("DELETE FROM search_words WHERE rowid = ?", id);
  sql.exec("DELETE FROM search_places WHERE id = ?", id);
}

function putPlace(sql: SqlStorage, { chat, kind, placeId, part, at, text, author, isMine }: Place): void {
  const id = freeNumber(sql, "search_places", placeTime(Date.parse(at)));
  sql.exec(
    "INSERT INTO search_places (id, chat, kind, place_id, part, author_id, author_name, model_id, at, text) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    id,
    chat,
    kind,
    placeId,
    part,
    author.id,
    author.name,
    author.modelId,
    at,
    text,
  );
  sql.exec(
    "INSERT INTO search_words (rowid, text, author, scope) VALUES (?, ?, ?, ?)",
    id,
    wordsOf(text).join(" "),
    wordsOf(`${author.name ?? ""} ${author.modelId ?? ""}`).join(" "),
    `${chatScope(chat)} ${kind} ${isMine ? "me" : ""}`,
  );
}

/** The word that all places of a chat have in their scope. */
export function chatScope(number: number): string {
  return `c${number}`;
}

/** Cuts a long text into chunks that are each found by themselves: a row holds 2 MB. */

/** Characters of a chunk; a typed message is always one (MESSAGE_LENGTH). */
const CHUNK_LENGTH = 200_000;
/** Characters that a chunk has in common with the one before it, so no phrase is cut apart. */
const OVERLAP = 1_000;
/** A space is looked for this many characters back, so no word is cut apart. */
const WORD_LENGTH = 200;

/** The chunks of a text in order, none of it left out; of an empty text there are none. */
function splitIntoChunks(text: string): string[] {
  const chunks: string[] = [];
  for (let from = 0; from < text.length;) {
    const end = from + CHUNK_LENGTH >= text.length ? text.length : cutBefore(text, from + CHUNK_LENGTH);
    chunks.push(text.slice(from, end));
    from = end === text.length ? end : cutBefore(text, end - OVERLAP);
  }
  return chunks;
}

/** The place at or before `end` at which a text is best cut: after a space, never within a character. */
function cutBefore(text: string, end: number): number {
  const space = text.lastIndexOf(" ", end - 1);
  if (space > end - WORD_LENGTH) return space + 1;
  const code = text.charCodeAt(end);
  return code >= 0xdc00 && code <= 0xdfff ? end - 1 : end;
}
