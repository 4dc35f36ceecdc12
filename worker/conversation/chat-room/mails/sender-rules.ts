/** Which senders a chat takes mail from, besides its own people. */
import { ownerOf } from "#worker/conversation/chat-room/chat.ts";

export type SenderRule = "allowed" | "blocked";

/** What was decided about an address; null where nobody was asked yet who may say it: only the chat's owner lets anybody in. */
export function senderRuleOf(sql: SqlStorage, address: string): SenderRule | null {
  const row = sql
    .exec<{ rule: string }>(
      "SELECT rule FROM mail_senders WHERE address = ? AND (rule = 'blocked' OR decided_by = (SELECT owner_id FROM chat))",
      address,
    )
    .toArray()[0];
  return row ? (row.rule === "blocked" ? "blocked" : "allowed") : null;
}

/** Keeps what someone decided about an address. */
export function setSenderRule(sql: SqlStorage, address: string, { rule, userId }: { rule: SenderRule; userId: string }): void {
  sql.exec(
    `INSERT INTO mail_senders (address, rule, decided_by, created_at) VALUES (?, ?, ?, ?)
     ON CONFLICT (address) DO UPDATE SET rule = excluded.rule, decided_by = excluded.decided_by, created_at = excluded.created_at`,
    address,
    rule,
    userId,
    new Date().toISOString(),
  );
}

/**
 * Notes whom a letter goes to that this person let out: what they answer is no stranger's in this chat, where the person is its owner, who pays
 * for what is let in. What was decided about an address stands; known is not trusted, so what they write stays data.
 */
export function noteWrittenTo(sql: SqlStorage, addresses: readonly string[], userId: string): void {
  if (userId !== ownerOf(sql)) return;
  for (const address of addresses.map((one) => one.toLowerCase())) {
    if (senderRuleOf(sql, address) === null) setSenderRule(sql, address, { rule: "allowed", userId });
  }
}

/** Lets an address be asked about again. */
export function deleteSenderRule(sql: SqlStorage, address: string): void {
  sql.exec("DELETE FROM mail_senders WHERE address = ?", address);
}
