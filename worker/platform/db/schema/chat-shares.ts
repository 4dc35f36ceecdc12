import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, unique, uniqueIndex } from "drizzle-orm/sqlite-core";
import { teams } from "./teams.ts";
import { users } from "./users.ts";

const LEVELS = ["editor", "viewer"] as const;

/** A chat shared with one person; without `user_id` while the address is only invited. The room's list of members is made of these. */
export const chatShares = sqliteTable(
  "chat_shares",
  {
    id: text().primaryKey(),
    chat_id: text().notNull(),
    user_id: text().references(() => users.id, { onDelete: "cascade" }),
    /** Trimmed and in lower case. */
    email: text().notNull(),
    permission_level: text({ enum: LEVELS }).notNull(),
    shared_by: text().notNull(),
    created_at: text().notNull(),
    /** True where the person was let in by an invitation, about which their address had a mail. */
    was_invited: integer({ mode: "boolean" }).notNull().default(false),
  },
  (table) => [
    unique().on(table.chat_id, table.email),
    uniqueIndex("chat_shares_by_user")
      .on(table.user_id, table.chat_id)
      .where(sql`user_id IS NOT NULL`),
    index("chat_invitations_by_email")
      .on(table.email)
      .where(sql`user_id IS NULL`),
  ],
);

/** A chat shared with all members of a team, whoever they are by then. */
export const chatTeamShares = sqliteTable(
  "chat_team_shares",
  {
    id: text().primaryKey(),
    chat_id: text().notNull(),
    team_id: text()
      .notNull()
      .references(() => teams.id, { onDelete: "cascade" }),
    permission_level: text({ enum: LEVELS }).notNull(),
    shared_by: text().notNull(),
    created_at: text().notNull(),
  },
  (table) => [unique().on(table.chat_id, table.team_id), index("chat_team_shares_by_team").on(table.team_id)],
);

/** Who left a chat that reaches them through a team. */
export const chatDepartures = sqliteTable(
  "chat_departures",
  {
    chat_id: text().notNull(),
    user_id: text()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    created_at: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.chat_id, table.user_id] })],
);
