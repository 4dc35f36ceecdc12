import { type SQL, sql } from "drizzle-orm";
import { integer, primaryKey, type SQLiteColumn, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { users } from "./users.ts";

/** What people set about single tools; a tool without a row is enabled and asks before it acts outside. */
export const toolSettings = sqliteTable(
  "user_tool_settings",
  {
    user_id: text()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    tool_id: text().notNull(),
    enabled: integer({ mode: "boolean" }).notNull(),
    is_always_on_override: integer({ mode: "boolean" }).notNull(),
    always_allowed: integer({ mode: "boolean" }).notNull(),
    updated_at: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.user_id, table.tool_id] })],
);

/** All settings of the user in a joined row, as JSON: `[tool id, enabled, overrides, always allowed]` each, switches as 0 or 1. */
export function toolSettingsJson(userId: SQLiteColumn): SQL<string> {
  const { tool_id, enabled, is_always_on_override, always_allowed } = toolSettings;
  return sql<string>`(SELECT json_group_array(json_array(${tool_id}, ${enabled}, ${is_always_on_override}, ${always_allowed}))
    FROM ${toolSettings} WHERE ${toolSettings.user_id} = ${userId})`;
}
