import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { AuditAction, AuditState, SubjectKind } from "#shared/entities/audit.ts";

/** What administrators did; triggers of the database refuse to change or delete a row. */
export const auditLog = sqliteTable(
  "audit_log",
  {
    seq: integer().primaryKey({ autoIncrement: true }),
    id: text().notNull().unique(),
    at: text().notNull(),
    actor_id: text().notNull(),
    actor_name: text().notNull(),
    actor_email: text(),
    action: text().$type<AuditAction>().notNull(),
    reason: text(),
    subject_kind: text().$type<SubjectKind>().notNull(),
    subject_id: text().notNull(),
    subject_name: text().notNull(),
    subject_email: text(),
    before: text({ mode: "json" }).$type<AuditState>(),
    after: text({ mode: "json" }).$type<AuditState>(),
  },
  (table) => [index("audit_log_by_subject").on(table.subject_id, table.seq)],
);
