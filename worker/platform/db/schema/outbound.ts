import { type SQL, sql } from "drizzle-orm";
import { integer, type SQLiteColumn, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { users } from "./users.ts";

/** People's connections to the code agent; `token` is sealed. */
export const codegenConnections = sqliteTable("codegen_connections", {
  user_id: text()
    .primaryKey()
    .references(() => users.id, { onDelete: "cascade" }),
  org_id: text().notNull(),
  token: text().notNull(),
  /** Why it does not work any more; null while it does. */
  error: text(),
  created_at: text().notNull(),
});

/** When people's chats may call somebody, in hours of their own day, and how often; without a row the defaults hold. */
export const callSettings = sqliteTable("call_settings", {
  user_id: text()
    .primaryKey()
    .references(() => users.id, { onDelete: "cascade" }),
  from_hour: integer().notNull(),
  until_hour: integer().notNull(),
  calls_per_day: integer().notNull(),
});

/** 1 in a joined row where the user's code agent is connected. */
export function hasCodegen(userId: SQLiteColumn): SQL<number> {
  return sql<number>`EXISTS (SELECT 1 FROM ${codegenConnections} WHERE ${codegenConnections.user_id} = ${userId})`;
}
