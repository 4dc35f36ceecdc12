import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
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

/** What came in and went out by the app, by its own id of each message: `waiting` until it is in its chat, then `done`; `sent` by us. */
export const messagingMessages = sqliteTable("messaging_messages", {
  id: text().primaryKey(),
  user_id: text()
    .notNull()
    .references(() => users.id, { onDelete: "cascade" }),
  chat_id: text(),
  state: text({ enum: ["waiting", "answering", "done", "sent"] }).notNull(),
  /** Epoch milliseconds. */
  sent_at: integer().notNull(),
  /** As the app sent it; null once it is in its chat. */
  message: text(),
  tries: integer().notNull().default(0),
  created_at: text().notNull(),
  /** Epoch milliseconds before which it is not tried again. */
  due_at: integer().notNull().default(0),
  /** How often it was put off. */
  delays: integer().notNull().default(0),
  /** What to answer about it, as JSON, once that is known. */
  notice: text(),
});

/** The chat in which a person's conversation goes on, and until when, in epoch milliseconds, a job works off what they wrote. */
export const messagingConversations = sqliteTable("messaging_conversations", {
  user_id: text()
    .primaryKey()
    .references(() => users.id, { onDelete: "cascade" }),
  chat_id: text(),
  busy_until: integer().notNull().default(0),
});

/** Chats with something that waits until their person writes again. */
export const messagingWaiting = sqliteTable(
  "messaging_waiting",
  {
    user_id: text()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    chat_id: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.user_id, table.chat_id] })],
);
