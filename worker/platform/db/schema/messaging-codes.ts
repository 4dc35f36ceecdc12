import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { users } from "./users.ts";

/** The one number that an account is about to prove, and its code, hashed under a key that is not in the database. */
export const messagingCodes = sqliteTable(
  "messaging_codes",
  {
    user_id: text()
      .primaryKey()
      .references(() => users.id, { onDelete: "cascade" }),
    /** E.164, with its plus. */
    phone: text().notNull(),
    code_hash: text().notNull(),
    tries: integer().notNull().default(0),
    expires_at: text().notNull(),
  },
  (table) => [index("messaging_codes_by_expiry").on(table.expires_at)],
);
