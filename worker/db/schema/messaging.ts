import { sqliteTable, text } from "drizzle-orm/sqlite-core";
import { users } from "./users.ts";

/** The numbers that people write from in the messaging app: one number has one account, and an account one number. */
export const messagingLinks = sqliteTable("messaging_links", {
  user_id: text()
    .primaryKey()
    .references(() => users.id, { onDelete: "cascade" }),
  /** E.164, with its plus. */
  phone: text().notNull().unique(),
  /** The app's own id of the person; null until they wrote. */
  wa_user_id: text().unique(),
  verified_at: text().notNull(),
  /** Until when they may be answered freely: a day after they last wrote. */
  window_until: text(),
});
