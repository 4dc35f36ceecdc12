import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { users } from "./users.ts";

/** One signed-in browser; `id` is the SHA-256 of what its cookie holds, so that this table opens nothing. */
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
  },
  (table) => [index("sessions_by_user").on(table.user_id), index("sessions_by_expiry").on(table.expires_at)],
);

/** The one live code of an address, hashed under a key that is not in the database. */
export const signInCodes = sqliteTable(
  "sign_in_codes",
  {
    email: text().primaryKey(),
    code_hash: text().notNull(),
    tries: integer().notNull().default(0),
    expires_at: text().notNull(),
  },
  (table) => [index("sign_in_codes_by_expiry").on(table.expires_at)],
);
