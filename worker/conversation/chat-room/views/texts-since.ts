/** What a chat says, as plain text for its readers' search indexes: read by hubs, page by page. */
import { readChat } from "../chat.ts";
import { mailTexts } from "../mails/mail-texts.ts";
import { listTodos } from "../todos.ts";
import type { RoomText, RoomTexts } from "#worker/conversation/room/rpc.ts";

/** Messages and characters of one page. */
const PAGE_ROWS = 200;
const PAGE_CHARACTERS = 500_000;
/** Characters whose markup is taken off together: some of its rules take the square of the length in time. */
const MARKUP_LENGTH = 4_000;

type Row = {
  seq: number;
  id: string;
  content: string;
  author_id: string | null;
  author_name: string | null;
  model_id: string | null;
  status: string;
  finish_reason: string | null;
  created_at: string;
};

type Input = { from: number; again: readonly number[] };

/** The messages of all branches from `from` on, and those `again` that were not final; the todo list comes with each page, the mails with the last. */
export function readTexts(sql: SqlStorage, { from, again }: Input, { hasMails }: { hasMails: boolean }): RoomTexts {
  const { id: chatId, version } = readChat(sql);
  const rows = sql.exec<Row>(
    `SELECT seq, id, content, author_id, author_name, model_id, status, finish_reason, created_at
     FROM messages WHERE seq >= ? OR seq IN (SELECT value FROM json_each(?)) ORDER BY seq LIMIT ${PAGE_ROWS + 1}`,
    from,
    JSON.stringify(again),
  );
  const texts: RoomText[] = [];
  let characters = 0;
  let isEnd = true;
  for (const row of rows) {
    isEnd = texts.length < PAGE_ROWS && (characters === 0 || characters + row.content.length <= PAGE_CHARACTERS);
    if (!isEnd) break;
    characters += row.content.length;
    texts.push(toText(row));
  }
  const todos = listTodos(sql, chatId).map((todo) => ({ id: todo.id, text: todo.text, at: todo.created_at }));
  const mails = hasMails ? (isEnd ? mailTexts(sql, { isStart: from === 0 }) : undefined) : null;
  return { version, texts, todos, ...(mails !== undefined && { mails }), nextSeq: Math.max(from, (texts.at(-1)?.seq ?? 0) + 1), isEnd };
}

function toText(row: Row): RoomText {
  return {
    seq: row.seq,
    id: row.id,
    authorId: row.author_id,
    authorName: row.author_name,
    modelId: row.model_id,
    at: row.created_at,
    text: withoutMarkup(row.content),
    isFinal: row.status === "done" && row.finish_reason !== "length",
  };
}

/** Markdown as it reads on one line. Parsing it, as previews do, takes far too long for whole chats; what is left over does no harm. */
function withoutMarkup(markdown: string): string {
  if (!/[*_`#[\]|<>~\n-]/.test(markdown)) return markdown;
  const text = markdown.replaceAll(/[ \t]+/g, " ");
  let plain = "";
  for (let from = 0; from < text.length;) {
    const end = endOfLines(text, from);
    plain += stripMarkup(text.slice(from, end));
    from = end;
  }
  return plain.replaceAll(/\s+/g, " ").trim();
}

/** The end of as many whole lines from a place on as are taken together; a longer line is cut at a space where it has some. */
function endOfLines(text: string, from: number): number {
  const end = from + MARKUP_LENGTH;
  if (end >= text.length) return text.length;
  const line = text.lastIndexOf("\n", end - 1) + 1;
  if (line > from) return line;
  const space = text.lastIndexOf(" ", end - 1) + 1;
  return space > from ? space : end;
}

function stripMarkup(markdown: string): string {
  return markdown
    .replaceAll(/^ {0,3}(?:```|~~~).*$/gm, " ")
    .replaceAll(/^[ \t]*(?:#{1,6}[ \t]+|>[ \t]?|[-*+][ \t]+(?:\[[ x]\][ \t])?|\|?(?:[ \t]*:?-{3,}:?[ \t]*\|)+.*$|[-*_]{3,}[ \t]*$)/gm, "")
    .replaceAll(/!?\[([^\]]*)\]\([^)\s]*(?:\s"[^"]*")?\)/g, "$1")
    .replaceAll(/<\/?[a-z][^>]*>/gi, " ")
    .replaceAll(/(\*\*|__|~~)(?=\S)(.*?\S)\1/g, "$2")
    .replaceAll(/(?<![\p{L}\p{N}*])\*(?=\S)([^*\n]*\S)\*(?![\p{L}\p{N}*])/gu, "$1")
    .replaceAll(/`+|[ \t]*\|[ \t]*/g, " ");
}
