import * as z from "zod/mini";
import { decodeReplyEvent, encodeReplyEvent } from "#shared/reply-events.ts";
import type { Positioned } from "./reply-log.ts";

/**
 * Checkpoints of a reply in progress: its events, a line each, in as few rows as may be, as each written row is billed.
 * Appending rewrites a row, so past this many characters (a row takes 2 MB) the next one begins.
 */
const ROW_LENGTH = 262_144;

const Line = z.tuple([z.number(), z.number(), z.string()]);

export type Checkpoints = {
  /** Appends events; each by itself, as a reader may come back with the position of any of them. */
  add(events: Positioned[]): void;
  /** Forgets them once the reply is settled, whose message holds all of it. */
  drop(): void;
};

type Row = { part: number; length: number };

/** The checkpoints of one reply, which nothing else writes meanwhile: its last row is remembered, as asking for its length reads all of it. */
export function openCheckpoints(sql: SqlStorage, replyId: string): Checkpoints {
  let last: Row | null = null;

  /** False where there is no such row, as a transaction that was rolled back leaves none. */
  function append(row: Row, text: string): boolean {
    const { rowsWritten } = sql.exec("UPDATE checkpoints SET body = body || ? WHERE reply_id = ? AND part = ?", text, replyId, row.part);
    return rowsWritten > 0;
  }

  return {
    add(events) {
      const lines = events.map(({ generation, seq, event }) => `${JSON.stringify([generation, seq, encodeReplyEvent(event)])}\n`).join("");
      const chunks = cutLines(lines);
      const [first = ""] = chunks;
      last ??= findLast(sql, replyId);
      if (last && last.length < ROW_LENGTH) {
        if (append(last, first)) {
          last.length += first.length;
          chunks.shift();
        } else {
          last = findLast(sql, replyId);
        }
      }
      for (const body of chunks) {
        last = { part: (last?.part ?? -1) + 1, length: body.length };
        sql.exec("INSERT INTO checkpoints (reply_id, part, body) VALUES (?, ?, ?)", replyId, last.part, body);
      }
    },
    drop() {
      sql.exec("DELETE FROM checkpoints WHERE reply_id = ?", replyId);
    },
  };
}

function findLast(sql: SqlStorage, replyId: string): Row | null {
  const query = "SELECT part, length(body) AS length FROM checkpoints WHERE reply_id = ? ORDER BY part DESC LIMIT 1";
  return sql.exec<Row>(query, replyId).toArray()[0] ?? null;
}

/** Lines in chunks that each fit a row, cut within no character. */
function cutLines(lines: string): string[] {
  const chunks: string[] = [];
  for (let at = 0; at < lines.length;) {
    const end = at + ROW_LENGTH;
    const isInPair = /[\uD800-\uDBFF]/.test(lines.charAt(end - 1)) && end < lines.length;
    chunks.push(lines.slice(at, isInPair ? end - 1 : end));
    at = isInPair ? end - 1 : end;
  }
  return chunks;
}

/** The events that were stored before the object died. */
export function readCheckpoints(sql: SqlStorage, replyId: string): Positioned[] {
  return sql
    .exec<{ body: string }>("SELECT body FROM checkpoints WHERE reply_id = ? ORDER BY part", replyId)
    .toArray()
    .map(({ body }) => body)
    .join("")
    .split("\n")
    .flatMap((line) => {
      if (line === "") return [];
      const [generation, seq, data] = Line.parse(JSON.parse(line));
      const event = decodeReplyEvent(data);
      return event ? [{ generation, seq, event }] : [];
    });
}
