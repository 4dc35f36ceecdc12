import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { users } from "./users.ts";

/** One signed-in browser; `id` is the SHA-256 of what its cookie holds, so this table opens nothing. */
export const sessions = sqliteTable(
  "sessions",
  {
    id: text().primaryKey(),
    user_id: text()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    user_agent: text().notNull(),
    created_at: text().notNull(),
    last_seen_at: text().notNull(),
    expires_at: text().notNull(),
    /** When its person last proved who they are, by a mailed code or at Google; null where that is not known. */
    proved_at: text(),
    /** True where nothing is to stay on the device. */
    keeps_nothing: integer("is_brief", { mode: "boolean" }).notNull().default(false),
  },
  (table) => [index("sessions_by_user").on(table.user_id), index("sessions_by_expiry").on(table.expires_at)],
);

/** The one live code of a browser and address, hashed under a key that is not in the database, and its mail's link. */
export const signInCodes = sqliteTable(
  "sign_in_codes",
  {
    /** The SHA-256 of what the browser's cookie holds. */
    browser: text().notNull(),
    email: text().notNull(),
    code_hash: text().notNull(),
    /** The SHA-256 of the link's token. */
    link_hash: text().notNull().unique(),
    tries: integer().notNull().default(0),
    expires_at: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.browser, table.email] }), index("sign_in_codes_by_expiry").on(table.expires_at)],
);
