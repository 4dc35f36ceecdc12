/** The mails of a chat, in and out, as its room's table has them. */
import * as z from "zod/mini";
import { MailAuthentication, MailState } from "#shared/entities/mail.ts";
import { MAIL_PREVIEW_LENGTH, MAILS_COUNTED } from "#shared/limits.ts";
import { sentFiles } from "#worker/library/attachments/room-file.ts";
import type { RoomMail } from "#worker/mail/chat-address/room-mail.ts";

type Row = {
  seq: number;
  id: string;
  delivery_key: string | null;
  direction: string;
  state: string;
  from_addr: string;
  from_name: string;
  to_addr: string;
  cc_addr: string;
  reply_to_addr: string;
  subject: string;
  text_body: string;
  quoted_body: string | null;
  authentication: string | null;
  attachments: string;
  message_id: string | null;
  in_reply_to: string | null;
  reference_ids: string;
  is_automatic: number;
  sender_id: string | null;
  with_data_of: string | null;
  raw_object: string | null;
  raw_size: number;
  is_read: number;
  turn_id: string | null;
  reply_id: string | null;
  note: string | null;
  created_at: string;
};

/** All columns, with enough of the texts to see whether there is more than a list shows. */
const LISTED = `seq, id, delivery_key, direction, state, from_addr, from_name, to_addr, cc_addr, reply_to_addr, subject,
  substr(text_body, 1, ${MAIL_PREVIEW_LENGTH + 1}) AS text_body, NULL AS quoted_body, authentication, attachments, message_id, in_reply_to,
  reference_ids, is_automatic, sender_id, with_data_of, raw_object, raw_size, is_read, turn_id, reply_id, note, created_at`;

export type MailPage = { mails: RoomMail[]; next: number | null };

const Texts = z.array(z.string());

/** The mail of this id. */
export function findMail(sql: SqlStorage, id: string): RoomMail | null {
  return first(sql.exec<Row>("SELECT * FROM mails WHERE id = ?", id));
}

/** The mail that came in under this key before. */
export function findDelivery(sql: SqlStorage, key: string): RoomMail | null {
  return first(sql.exec<Row>("SELECT * FROM mails WHERE delivery_key = ?", key));
}

/** The mail as which a reply of the chat answered another; of two the one that waits for a word. */
export function findAnswerOf(sql: SqlStorage, replyId: string): RoomMail | null {
  const query = `SELECT mails.* FROM mails JOIN outgoing_mails ON mail_id = mails.id
    WHERE reply_id = ? AND direction = 'out' AND (answers_id IS NOT NULL OR needs_approval = 1) ORDER BY needs_approval DESC LIMIT 1`;
  return first(sql.exec<Row>(query, replyId));
}

/** The mails with this Message-ID, newest first: nothing keeps a stranger from using one twice. */
export function findByMessageId(sql: SqlStorage, messageId: string): RoomMail[] {
  return sql.exec<Row>("SELECT * FROM mails WHERE message_id = ? ORDER BY seq DESC", messageId).toArray().map(toRoomMail);
}

/** The mails from an address that wait for a word about it, oldest first. */
export function waitingFrom(sql: SqlStorage, address: string): RoomMail[] {
  return sql
    .exec<Row>("SELECT * FROM mails WHERE direction = 'in' AND state = 'quarantined' AND from_addr = ? ORDER BY seq", address)
    .toArray()
    .map(toRoomMail);
}

/** A page of the chat's mails, newest first, of each the beginning of its text: `before` is the place of the page before's last one. */
export function listMails(sql: SqlStorage, { before, limit }: { before: number | null; limit: number }): MailPage {
  const rows = sql
    .exec<Row>(`SELECT ${LISTED} FROM mails WHERE seq < ? ORDER BY seq DESC LIMIT ?`, before ?? Number.MAX_SAFE_INTEGER, limit + 1)
    .toArray();
  const page = rows.slice(0, limit);
  return { mails: page.map(toRoomMail), next: rows.length > limit ? (page.at(-1)?.seq ?? null) : null };
}

/** How many mails a list would have, counted no further than anybody wants to know. */
export function countMails(sql: SqlStorage): number {
  return sql.exec<{ n: number }>(`SELECT count(*) AS n FROM (SELECT 1 FROM mails LIMIT ${MAILS_COUNTED})`).one().n;
}

/** All mails whole, newest first, each read as it is asked for. */
export function* walkMails(sql: SqlStorage): Generator<RoomMail> {
  for (const row of sql.exec<Row>("SELECT * FROM mails ORDER BY seq DESC")) yield toRoomMail(row);
}

/** Adds a mail. */
export function insertMail(sql: SqlStorage, mail: RoomMail): void {
  const columns = Object.entries(toColumns(mail));
  sql.exec(
    `INSERT INTO mails (${columns.map(([name]) => name).join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`,
    ...columns.map(([, value]) => value),
  );
}

/** Changes what is known of a mail. */
export function updateMail(sql: SqlStorage, id: string, change: Partial<Omit<RoomMail, "id" | "delivery_key">>): void {
  const columns = Object.entries(toColumns(change));
  if (columns.length === 0) return;
  sql.exec(`UPDATE mails SET ${columns.map(([name]) => `${name} = ?`).join(", ")} WHERE id = ?`, ...columns.map(([, value]) => value), id);
}

/** The columns of these fields: lists as JSON, switches as 0 or 1. */
function toColumns(fields: Partial<RoomMail>): Record<string, string | number | null> {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => {
      if (value === undefined) return [];
      if (typeof value === "boolean") return [[name, Number(value)]];
      return [[name, typeof value === "object" && value !== null ? JSON.stringify(value) : value]];
    }),
  );
}

function first(cursor: SqlStorageCursor<Row>): RoomMail | null {
  const row = cursor.toArray()[0];
  return row ? toRoomMail(row) : null;
}

function toRoomMail({ seq: _seq, ...row }: Row): RoomMail {
  return {
    ...row,
    direction: row.direction === "in" ? "in" : "out",
    state: MailState.parse(row.state),
    to_addr: toTexts(row.to_addr),
    cc_addr: toTexts(row.cc_addr),
    reply_to_addr: toTexts(row.reply_to_addr),
    reference_ids: toTexts(row.reference_ids),
    authentication: row.authentication === null ? null : MailAuthentication.parse(JSON.parse(row.authentication)),
    attachments: sentFiles(row.attachments),
    is_automatic: row.is_automatic === 1,
    is_read: row.is_read === 1,
  };
}

function toTexts(column: string): string[] {
  return Texts.parse(JSON.parse(column));
}

/** Whose mails are counted together: the chat's own people, strangers who are always allowed, all others. */
export type SenderKind = "own" | "allowed" | "stranger";

const OF_KIND: Record<SenderKind, string> = {
  own: "state = 'received' AND from_addr NOT IN (SELECT address FROM mail_senders WHERE rule = 'allowed')",
  allowed: "state = 'received' AND from_addr IN (SELECT address FROM mail_senders WHERE rule = 'allowed')",
  stranger: "state <> 'received'",
};

/** How many mails of such senders came in since then. */
export function countSince(sql: SqlStorage, { kind, since }: { kind: SenderKind; since: string }): number {
  return sql
    .exec<{ n: number }>(
      `SELECT count(*) AS n FROM mails WHERE direction = 'in' AND raw_object IS NOT NULL AND ${OF_KIND[kind]} AND created_at > ?`,
      since,
    )
    .one().n;
}

/** Makes a mail the newest of the chat. */
export function moveToEnd(sql: SqlStorage, id: string): void {
  sql.exec("UPDATE mails SET seq = (SELECT max(seq) + 1 FROM mails) WHERE id = ?", id);
}

/** What the sources of mails take that nobody let in. */
export function strangersBytes(sql: SqlStorage): number {
  return sql.exec<{ n: number }>("SELECT COALESCE(SUM(raw_size), 0) AS n FROM mails WHERE state IN ('quarantined', 'blocked')").one().n;
}
