import { sqliteTable, text } from "drizzle-orm/sqlite-core";
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
