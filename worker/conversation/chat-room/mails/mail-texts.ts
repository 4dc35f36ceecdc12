/** A chat's mails as plain text, for the search of those who may see them. */
import type { MailText, RoomTexts } from "#worker/conversation/room/rpc.ts";

/** Mails that are read when a chat is read from its start, and of one that went on. */
const ALL_MAILS = 2_000;
const NEW_MAILS = 200;
/** Characters of each. */
const TEXT_LENGTH = 4_000;

type Row = {
  id: string;
  from_addr: string;
  from_name: string;
  to_addr: string;
  cc_addr: string;
  subject: string;
  text_body: string;
  sender_id: string | null;
  created_at: string;
};

/** The newest mails that nobody's sender was blocked of; whole where these are all. */
export function mailTexts(sql: SqlStorage, { isStart }: { isStart: boolean }): NonNullable<RoomTexts["mails"]> {
  const limit = isStart ? ALL_MAILS : NEW_MAILS;
  const rows = sql
    .exec<Row>(
      `SELECT id, from_addr, from_name, to_addr, cc_addr, subject, substr(text_body, 1, ${TEXT_LENGTH}) AS text_body, sender_id, created_at
       FROM mails WHERE state <> 'blocked' ORDER BY seq DESC LIMIT ?`,
      limit + 1,
    )
    .toArray();
  return { known: rows.slice(0, limit).map(toText), isComplete: rows.length <= limit };
}

function toText(row: Row): MailText {
  const addresses = [row.from_addr, row.to_addr, row.cc_addr].join(" ").replaceAll(/[[\]",]+/g, " ");
  return {
    id: row.id,
    authorId: row.sender_id,
    authorName: row.from_name || row.from_addr,
    at: row.created_at,
    text: `${row.subject} \u00b7 ${row.text_body} \u00b7 ${addresses}`.replaceAll(/\s+/g, " ").trim(),
  };
}
