import type { AuditEntry } from "#shared/entities/audit.ts";
import { ADMIN_PAGE } from "#shared/limits.ts";
import { AppError } from "../app-error.ts";
import type { Database } from "../db/client.ts";
import { toPage } from "./page.ts";
import { type AuditRow, selectAudit } from "./queries.ts";

/** A page of what administrators did. */
export async function readAudit(
  db: Database,
  { subject, cursor }: { subject?: string | undefined; cursor?: string | undefined },
): Promise<{ entries: AuditEntry[]; nextCursor: string | null }> {
  const before = cursor === undefined ? Number.MAX_SAFE_INTEGER : Number(cursor);
  if (!Number.isSafeInteger(before)) throw new AppError("INVALID_INPUT", { message: "That page is not there." });
  const rows = await selectAudit(db, { subject, before, limit: ADMIN_PAGE + 1 });
  const { page, nextCursor } = toPage(rows, { limit: ADMIN_PAGE, cursorOf: ({ seq }) => String(seq) });
  return { entries: page.map(toEntry), nextCursor };
}

function toEntry(row: AuditRow): AuditEntry {
  const { id, at, act, reason, before, after } = row;
  const actor = { id: row.actor_id, name: row.actor_name, email: row.actor_email };
  const subject = { kind: row.subject_kind, id: row.subject_id, name: row.subject_name, email: row.subject_email };
  return { id, at, actor, act, reason, subject, before, after };
}
