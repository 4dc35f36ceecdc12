import { index, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { users } from "./users.ts";

/** What the mails about an account's ways in say 'This wasn't me' by. */
export const alertLinks = sqliteTable(
  "alert_links",
  {
    /** The SHA-256 of the link's token, so this table opens nothing. */
    hash: text().primaryKey(),
    user_id: text()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** When it happened that the mail was about. */
    happened_at: text().notNull(),
    expires_at: text().notNull(),
  },
  (table) => [index("alert_links_by_user").on(table.user_id), index("alert_links_by_expiry").on(table.expires_at)],
);
