/** Moves what a guest has in a chat to the account that the guest signed in to; call it in one transaction. */
export function transferChat(sql: SqlStorage, from: string, to: { userId: string; displayName: string }): void {
  sql.exec("UPDATE chat SET owner_id = ? WHERE owner_id = ?", to.userId, from);
  // A guest's persona is their own, which is the account's now.
  sql.exec("UPDATE chat SET settings = json_set(settings, '$.persona_id', ?) WHERE settings ->> 'persona_id' = ?", to.userId, from);
  // The chat is new to the account's list, and was read by the same person as a guest.
  sql.exec("UPDATE chat SET activity_seq = 0, activity_by = NULL");
  sql.exec("UPDATE chat SET last_sender_id = ?, last_sender_name = ? WHERE last_sender_id = ?", to.userId, to.displayName, from);
  sql.exec("UPDATE messages SET author_id = ?, author_name = ? WHERE author_id = ?", to.userId, to.displayName, from);
  sql.exec("UPDATE messages SET trusted_for = ? WHERE trusted_for = ?", to.userId, from);
  sql.exec("UPDATE messages SET payer_id = ? WHERE payer_id = ?", to.userId, from);
  sql.exec("UPDATE todos SET trusted_for = ? WHERE trusted_for = ?", to.userId, from);
  sql.exec("UPDATE queue SET author_id = ?, author_name = ? WHERE author_id = ?", to.userId, to.displayName, from);
  sql.exec("UPDATE OR REPLACE readers SET user_id = ? WHERE user_id = ?", to.userId, from);
  sql.exec("UPDATE charges SET payer_id = ? WHERE payer_id = ?", to.userId, from);
  sql.exec("DELETE FROM outbox WHERE target = ?", `hub:${from}`);
}
