import type { PermissionLevel } from "#shared/entities/chat.ts";

/** What a person may do in this chat, or null for a stranger, who is told the same as of a chat that doesn't exist. */
export function levelOf(sql: SqlStorage, userId: string): PermissionLevel | null {
  const owner = sql.exec<{ owner_id: string }>("SELECT owner_id FROM chat").toArray()[0]?.owner_id;
  return owner === userId ? "owner" : null;
}
