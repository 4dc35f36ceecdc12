/** What a room keeps of each mail that it sends besides the mail itself, so it goes out once whatever restarts. */

/** A mail on its way: `is_claimed` from before it is passed on until the outcome is known. Times are epoch milliseconds. */
export type OutgoingRow = {
  mail_id: string;
  /** The mail that it answers by itself; one answer each. */
  answers_id: string | null;
  queued_at: number;
  first_tried_at: number | null;
  is_claimed: number;
  tries: number;
  /** The mail service's own id. */
  provider_id: string | null;
};

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
     ON CONFLICT (mail_id) DO UPDATE SET queued_at = excluded.queued_at, first_tried_at = NULL, is_claimed = 0, tries = 0`,
    mailId,
    answersId,
    now,
  );
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
export function hasWrittenTo(sql: SqlStorage, address: string): boolean {
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
