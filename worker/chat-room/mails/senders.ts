/** Which senders a chat takes mail from, besides its own people. */

export type SenderRule = "allowed" | "blocked";

/** What was decided about an address; null where nobody was asked yet. */
export function ruleOf(sql: SqlStorage, address: string): SenderRule | null {
  const row = sql.exec<{ rule: string }>("SELECT rule FROM mail_senders WHERE address = ?", address).toArray()[0];
  return row ? (row.rule === "blocked" ? "blocked" : "allowed") : null;
}

/** Keeps what someone decided about an address. */
export function setRule(sql: SqlStorage, address: string, { rule, userId }: { rule: SenderRule; userId: string }): void {
  sql.exec(
    `INSERT INTO mail_senders (address, rule, decided_by, created_at) VALUES (?, ?, ?, ?)
     ON CONFLICT (address) DO UPDATE SET rule = excluded.rule, decided_by = excluded.decided_by, created_at = excluded.created_at`,
    address,
    rule,
    userId,
    new Date().toISOString(),
  );
}

/** Lets an address be asked about again. */
export function dropRule(sql: SqlStorage, address: string): void {
  sql.exec("DELETE FROM mail_senders WHERE address = ?", address);
}
