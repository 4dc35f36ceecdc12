import { sql } from "drizzle-orm";
import { index, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { users } from "./users.ts";

/** What people wrote to the operator; it outlives their account without their name. */
export const feedback = sqliteTable(
  "feedback",
  {
    id: text().primaryKey(),
    user_id: text().references(() => users.id, { onDelete: "set null" }),
    message: text().notNull(),
    created_at: text().notNull(),
    /** When an administrator was done with it. */
    done_at: text(),
  },
  (table) => [
    index("feedback_by_time").on(table.created_at),
    index("feedback_by_user").on(table.user_id),
    index("feedback_open")
      .on(table.created_at, table.id)
      .where(sql`done_at IS NULL`),
    index("feedback_done")
      .on(table.created_at, table.id)
      .where(sql`done_at IS NOT NULL`),
  ],
);
