import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { teams } from "./teams.ts";
import { users } from "./users.ts";

/** Codes that open an account, or give an account a plan or a team. */
export const invites = sqliteTable(
  "invites",
  {
    id: text().primaryKey(),
    /** 12 base32 characters. */
    code: text().notNull().unique(),
    created_by: text()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    created_at: text().notNull(),
    /** The month of UTC whose balance it counts against; null for an administrator's, which counts against none. */
    month: text(),
    sent_to: text(),
    auto_activate: integer({ mode: "boolean" }).notNull().default(true),
    team_plan: integer({ mode: "boolean" }).notNull().default(false),
    solo_plan: integer({ mode: "boolean" }).notNull().default(false),
    team_id: text().references(() => teams.id, { onDelete: "set null" }),
    initial_credits_micros: integer().notNull(),
  },
  (table) => [
    index("invites_by_time").on(table.created_at, table.id),
    index("invites_by_creator").on(table.created_by, table.month),
    index("invites_by_month")
      .on(table.month, table.created_by)
      .where(sql`month IS NOT NULL`),
  ],
);

/** Who used a code; its key makes a code hold once. */
export const inviteUses = sqliteTable(
  "invite_uses",
  {
    invite_id: text()
      .primaryKey()
      .references(() => invites.id, { onDelete: "cascade" }),
    user_id: text().references(() => users.id, { onDelete: "set null" }),
    used_at: text().notNull(),
    /** When its plan began to hold; null while an administrator has yet to approve it. */
    activated_at: text(),
    /** When an administrator refused its plan. */
    refused_at: text(),
  },
  (table) => [
    index("invite_uses_by_user")
      .on(table.user_id)
      .where(sql`user_id IS NOT NULL`),
    index("plans_that_wait")
      .on(table.used_at, table.invite_id)
      .where(sql`activated_at IS NULL AND refused_at IS NULL`),
  ],
);

/** That a new month of invites began for somebody who had made some in the month before. */
export const inviteResets = sqliteTable(
  "invite_resets",
  {
    user_id: text()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** The month of UTC that began. */
    month: text().notNull(),
    at: text().notNull(),
    /** Invites that were made in the month before. */
    made_before: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.user_id, table.month] })],
);
