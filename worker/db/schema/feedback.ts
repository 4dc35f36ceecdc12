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
  },
  (table) => [index("feedback_by_time").on(table.created_at), index("feedback_by_user").on(table.user_id)],
);
