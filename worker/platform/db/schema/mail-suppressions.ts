import { sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Addresses in lower case that no chat writes to any more, as the mail service said. */
export const mailSuppressions = sqliteTable("mail_suppressions", {
  address: text().primaryKey(),
  reason: text({ enum: ["bounced", "complained"] }).notNull(),
  created_at: text().notNull(),
});
