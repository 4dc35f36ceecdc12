import { index, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { sessions } from "./sessions.ts";
import { users } from "./users.ts";

/** Browsers that are notified by web push (RFC 8030): each is of one session and goes with it. */
export const pushDevices = sqliteTable(
  "push_devices",
  {
    id: text().primaryKey(),
    user_id: text()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    session_id: text()
      .notNull()
      .unique()
      .references(() => sessions.id, { onDelete: "cascade" }),
    /** Where its push service takes messages for it: whoever knows it can send there. */
    endpoint: text().notNull().unique(),
    /** The browser's public key and secret in base64url, to which messages are encrypted (RFC 8291). */
    p256dh: text().notNull(),
    auth: text().notNull(),
    name: text().notNull(),
    created_at: text().notNull(),
  },
  (table) => [index("push_devices_by_user").on(table.user_id)],
);
