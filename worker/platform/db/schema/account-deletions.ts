import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Accounts that are being deleted; a row goes with its deletion's end. */
export const accountDeletions = sqliteTable(
  "account_deletions",
  {
    user_id: text().primaryKey(),
    /** Whom the mail goes to that says that it is done; null where no mail may go there. */
    mail_to: text(),
    origin: text().notNull(),
    /** Every address that was proven. */
    addresses: text({ mode: "json" }).$type<string[]>().notNull(),
    picture: text(),
    stage: text().notNull(),
    /** How far the stage is: the last id that is done. */
    after: text().notNull().default(""),
    /** The second pass finds what was on its way during the first. */
    pass: integer().notNull().default(1),
    /** What of it failed again and again, and is taken up at the end: the stage and a chat's id, with a space between. */
    failing: text({ mode: "json" }).$type<string[]>().notNull().default([]),
    started_at: text().notNull(),
    touched_at: text().notNull(),
  },
  (table) => [index("account_deletions_by_touch").on(table.touched_at)],
);
