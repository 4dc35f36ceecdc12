import { index, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Files on their way into a message; what is still unused a day later is deleted by the nightly job. */
export const uploads = sqliteTable(
  "uploads",
  {
    id: text().primaryKey(),
    chat_id: text().notNull(),
    created_at: text().notNull(),
  },
  (table) => [index("uploads_by_time").on(table.created_at)],
);
