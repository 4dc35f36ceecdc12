import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";

/** Who owns a chat; its content is the ChatRoom's. A deleted chat leaves this row as its tombstone. */
export const chats = sqliteTable(
  "chats",
  {
    id: text().primaryKey(),
    user_id: text().notNull(),
    title: text().notNull().default(""),
    public: integer({ mode: "boolean" }).notNull().default(false),
    created_at: text().notNull(),
    deleted_at: text(),
    /** The team in whose workspace it was begun. */
    team_id: text(),
    /** The local part of its mail address; null where it never had one, and once it is deleted. */
    mail_token: text(),
  },
  (table) => [
    index("chats_by_user").on(table.user_id, table.created_at),
    uniqueIndex("chats_by_mail_token")
      .on(table.mail_token)
      .where(sql`mail_token IS NOT NULL`),
  ],
);
