import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { users } from "./users.ts";

/** Proven addresses besides an account's own, trimmed and in lower case; each belongs to one account. */
export const additionalEmails = sqliteTable(
  "additional_emails",
  {
    email: text().primaryKey(),
    user_id: text()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    verified_at: text().notNull(),
  },
  (table) => [index("additional_emails_by_user").on(table.user_id, table.verified_at)],
);

/** The one address that an account is about to prove, and its code, hashed under a key that is not in the database. */
export const additionalEmailCodes = sqliteTable(
  "additional_email_codes",
  {
    user_id: text()
      .primaryKey()
      .references(() => users.id, { onDelete: "cascade" }),
    email: text().notNull(),
    code_hash: text().notNull(),
    tries: integer().notNull().default(0),
    expires_at: text().notNull(),
  },
  (table) => [index("additional_email_codes_by_expiry").on(table.expires_at)],
);
