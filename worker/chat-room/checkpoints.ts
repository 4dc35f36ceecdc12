import * as z from "zod/mini";
import { decodeReplyEvent, encodeReplyEvent } from "#shared/reply-events.ts";
import type { Positioned } from "./reply-log.ts";

/**
 * Checkpoints of a reply in progress: its events, a line each, in as few rows as may be, as each written row is billed.
 * Appending rewrites a row, so that past this many characters (a row takes 2 MB) the next one begins.
 */
const ROW_LENGTH = 262_144;

const Line = z.tuple([z.number(), z.number(), z.string()]);

/** Appends events; each by itself, as a reader may come back with the position of any of them. */
export function addCheckpoint(sql: SqlStorage, replyId: string, events: Positioned[]): void {
  const lines = events.map(({ generation, seq, event }) => `${JSON.stringify([generation, seq, encodeReplyEvent(event)])}\n`).join("");
  const [first = "", ...rest] = cutLines(lines);
  const last = sql
    .exec<{ part: number; length: number }>(
      "SELECT part, length(body) AS length FROM checkpoints WHERE reply_id = ? ORDER BY part DESC LIMIT 1",
      replyId,
    )
    .toArray()[0];
  if (last && last.length < ROW_LENGTH) {
    sql.exec("UPDATE checkpoints SET body = body || ? WHERE reply_id = ? AND part = ?", first, replyId, last.part);
  } else {
    rest.unshift(first);
  }
  for (const [index, body] of rest.entries()) {
    sql.exec("INSERT INTO checkpoints (reply_id, part, body) VALUES (?, ?, ?)", replyId, (last?.part ?? -1) + 1 + index, body);
  }
}

/** Lines in pieces that each fit a row, cut within no character. */
function cutLines(lines: string): string[] {
  const pieces: string[] = [];
  for (let at = 0; at < lines.length;) {
    const end = at + ROW_LENGTH;
    const isInPair = /[\uD800-\uDBFF]/.test(lines.charAt(end - 1)) && end < lines.length;
    pieces.push(lines.slice(at, isInPair ? end - 1 : end));
    at = isInPair ? end - 1 : end;
  }
  return pieces;
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

/** Forgets the checkpoints of a settled reply; its message holds all of it. */
export function dropCheckpoints(sql: SqlStorage, replyId: string): void {
  sql.exec("DELETE FROM checkpoints WHERE reply_id = ?", replyId);
}
