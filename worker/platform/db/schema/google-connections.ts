import { type SQL, sql } from "drizzle-orm";
import { type SQLiteColumn, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { users } from "./users.ts";

/** People's connections to Google; `tokens` is sealed. */
export const googleConnections = sqliteTable("google_connections", {
  user_id: text()
    .primaryKey()
    .references(() => users.id, { onDelete: "cascade" }),
  /** Google's stable id of the account, and its address. */
  subject: text().notNull(),
  email: text().notNull(),
  /** What the person really granted, with blanks between. */
  scopes: text().notNull(),
  tokens: text().notNull(),
  /** When the access token ends. */
  expires_at: text().notNull(),
  /** Why the grant does not hold any more; null while it does. */
  error: text(),
  connected_at: text().notNull(),
});

/** What opens people's Drives to Google's Picker for an hour, and nothing else; `token` is sealed. */
export const googlePickerTokens = sqliteTable("google_picker_tokens", {
  user_id: text()
    .primaryKey()
    .references(() => users.id, { onDelete: "cascade" }),
  token: text().notNull(),
  expires_at: text().notNull(),
});

/** 1 in a joined row where the user's Gmail is connected and its grant holds. */
export function hasGmail(userId: SQLiteColumn): SQL<number> {
  const { user_id: owner, error, scopes } = googleConnections;
  return sql<number>`EXISTS (SELECT 1 FROM ${googleConnections} WHERE ${owner} = ${userId} AND ${error} IS NULL AND ${scopes} LIKE '%/auth/gmail.%')`;
}
