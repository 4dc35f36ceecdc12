import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { users } from "./users.ts";

/** A stored chunk of an export's ZIP: the last part of its key, and its bytes. */
type Segment = [name: string, size: number];

/** Exports of everything that a person has; a step is kept where `step` is still what it began at. */
export const accountExports = sqliteTable(
  "account_exports",
  {
    id: text().primaryKey(),
    user_id: text()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    state: text({ enum: ["running", "ready", "failed"] }).notNull(),
    step: integer().notNull().default(0),
    /** Where the next step goes on: a section, and a place in it that the section alone understands. */
    section: integer().notNull().default(0),
    cursor: text(),
    done: integer().notNull().default(0),
    total: integer().notNull().default(0),
    /** Of the ZIP so far: its entries, and the bytes of `segments`. */
    entries: integer().notNull().default(0),
    size: integer().notNull().default(0),
    segments: text({ mode: "json" }).$type<Segment[]>().notNull(),
    /** Those of the central directory, which stand behind all others. */
    directory: text({ mode: "json" }).$type<Segment[]>().notNull(),
    counts: text({ mode: "json" }).$type<Record<string, number>>().notNull(),
    left_out: text({ mode: "json" }).$type<{ what: string; why: string }[]>().notNull(),
    left_out_count: integer().notNull().default(0),
    problem: text(),
    created_at: text().notNull(),
    updated_at: text().notNull(),
    expires_at: text(),
  },
  (table) => [
    uniqueIndex("account_exports_running")
      .on(table.user_id)
      .where(sql`state = 'running'`),
    index("account_exports_by_user").on(table.user_id, table.created_at),
    index("account_exports_by_expiry")
      .on(table.expires_at)
      .where(sql`expires_at IS NOT NULL`),
  ],
);
