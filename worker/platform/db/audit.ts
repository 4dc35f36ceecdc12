import { type SQL, sql } from "drizzle-orm";
import type { AuditAction } from "#shared/entities/audit.ts";
import type { Database } from "./client.ts";
import { auditLog } from "./schema/audit-log.ts";

/** An administrator's action: who does it, and why where that is said. */
export type Audited = { id: string; at: string; actor: { id: string; name: string; email: string | null }; reason: string | null };

/**
 * The entry of an action, to be written first in the batch of the action itself: `subject` selects `kind, id, name, email, before, after`
 * of what the action is about to change, and nothing where it changes nothing. Answers the entry where there is one.
 */
export function auditEntry(db: Database, action: AuditAction, { audited, subject }: { audited: Audited; subject: SQL }) {
  const { id, at, actor, reason } = audited;
  return db
    .insert(auditLog)
    .select(sql`SELECT NULL, ${id}, ${at}, ${actor.id}, ${actor.name}, ${actor.email}, ${action}, ${reason}, s.* FROM (${subject}) AS s`)
    .returning({ seq: auditLog.seq });
}
