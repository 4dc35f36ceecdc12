/** What a room keeps of each mail that it sends besides the mail itself, so it goes out once whatever restarts. */
import * as z from "zod/mini";
import type { PendingAnswer } from "#worker/conversation/room/rpc.ts";

/** A mail on its way: `is_claimed` from before it is passed on until the outcome is known. Times are epoch milliseconds. */
export type OutgoingRow = {
  mail_id: string;
  /** The mail that it answers by itself; one answer each. */
  answers_id: string | null;
  /** The mail whose answer this carries to its other receivers, as its person got theirs before. */
  shares_answer_to: string | null;
  queued_at: number;
  first_tried_at: number | null;
  is_claimed: number;
  tries: number;
  /** The mail service's own id. */
  provider_id: string | null;
  /** 1 for an answer that waits for its payer's word. */
  needs_approval: number;
};

const Addresses = z.array(z.string());
/** So many are reported to their payers' lists. */
const PENDING_ANSWERS_MAX = 50;

/** How a mail is on its way; null for one that never was. */
export function findOutgoing(sql: SqlStorage, mailId: string): OutgoingRow | null {
  return sql.exec<OutgoingRow>("SELECT * FROM outgoing_mails WHERE mail_id = ?", mailId).toArray()[0] ?? null;
}

/** The mail that answers this one. */
export function findAnswer(sql: SqlStorage, answersId: string): OutgoingRow | null {
  return sql.exec<OutgoingRow>("SELECT * FROM outgoing_mails WHERE answers_id = ?", answersId).toArray()[0] ?? null;
}

/** Puts a mail on its way; one that was on it begins again. */
export function queueOutgoing(
  sql: SqlStorage,
  { mailId, answersId, now }: { mailId: string; answersId: string | null; now: number },
): void {
  sql.exec(
    `INSERT INTO outgoing_mails (mail_id, answers_id, queued_at) VALUES (?, ?, ?)
     ON CONFLICT (mail_id) DO UPDATE SET queued_at = excluded.queued_at, first_tried_at = NULL, is_claimed = 0, tries = 0, needs_approval = 0`,
    mailId,
    answersId,
    now,
  );
}

/** Notes that a mail carries the answer to another one to further receivers. */
export function shareAnswer(sql: SqlStorage, mailId: string, answersId: string): void {
  sql.exec("UPDATE outgoing_mails SET shares_answer_to = ? WHERE mail_id = ?", answersId, mailId);
}

/** Has a mail wait for its payer's word, or no longer. */
export function setNeedsApproval(sql: SqlStorage, mailId: string, needsApproval: boolean): void {
  sql.exec("UPDATE outgoing_mails SET needs_approval = ? WHERE mail_id = ?", Number(needsApproval), mailId);
}

/** The answers that wait for this payer's word, newest first. */
export function pendingAnswers(sql: SqlStorage, payerId: string): PendingAnswer[] {
  return sql
    .exec<{ id: string; message_id: string; to_addr: string; cc_addr: string; subject: string; since: string }>(
      `SELECT mails.id, mails.reply_id AS message_id, to_addr, cc_addr, subject, mails.created_at AS since
       FROM outgoing_mails INDEXED BY outgoing_mails_held JOIN mails ON mails.id = mail_id
       WHERE needs_approval = 1 AND sender_id = ? ORDER BY since DESC LIMIT ?`,
      payerId,
      PENDING_ANSWERS_MAX,
    )
    .toArray()
    .map(({ to_addr: to, cc_addr: cc, ...mail }) => ({
      ...mail,
      to: [...Addresses.parse(JSON.parse(to)), ...Addresses.parse(JSON.parse(cc))],
    }));
}

/** Notes that it is being passed on. */
export function claimOutgoing(sql: SqlStorage, mailId: string, now: number): void {
  sql.exec(
    "UPDATE outgoing_mails SET is_claimed = 1, tries = tries + 1, first_tried_at = COALESCE(first_tried_at, ?) WHERE mail_id = ?",
    now,
    mailId,
  );
}

/** Notes that it is known what became of it. */
export function releaseOutgoing(sql: SqlStorage, mailId: string, providerId: string | null): void {
  sql.exec("UPDATE outgoing_mails SET is_claimed = 0, provider_id = COALESCE(?, provider_id) WHERE mail_id = ?", providerId, mailId);
}

/** How many mails were put on their way since then. */
export function countSince(sql: SqlStorage, since: number): number {
  return sql.exec<{ n: number }>("SELECT COUNT(*) AS n FROM outgoing_mails WHERE queued_at > ?", since).one().n;
}

/** True where the chat has sent a mail to this address, and it did not come back. */
export function hasSentTo(sql: SqlStorage, address: string): boolean {
  const query = `SELECT 1 FROM mails, json_each(json_array(mails.to_addr, mails.cc_addr)) AS list, json_each(list.value) AS one
    WHERE mails.direction = 'out' AND mails.state = 'sent' AND one.value = ? LIMIT 1`;
  return sql.exec(query, address).toArray().length > 0;
}

/** Those of these addresses that mail of this chat came back from. */
export function suppressedHere(sql: SqlStorage, addresses: readonly string[]): string[] {
  const query = "SELECT address FROM mail_suppressed WHERE address IN (SELECT value FROM json_each(?))";
  return sql
    .exec<{ address: string }>(query, JSON.stringify(addresses))
    .toArray()
    .map(({ address }) => address);
}

/** Sends nothing more from this chat to an address. */
export function suppressHere(sql: SqlStorage, address: string, reason: "bounced" | "complained"): void {
  sql.exec(
    "INSERT INTO mail_suppressed (address, reason, created_at) VALUES (?, ?, ?) ON CONFLICT (address) DO NOTHING",
    address,
    reason,
    new Date().toISOString(),
  );
}
