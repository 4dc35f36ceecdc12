import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { users } from "./users.ts";

/** Groups of people that things are shared with. */
export const teams = sqliteTable("teams", {
  id: text().primaryKey(),
  name: text().notNull(),
  description: text(),
  created_by: text().notNull(),
  created_at: text().notNull(),
  members_restricted: integer({ mode: "boolean" }).notNull().default(false),
  content_admin_only: integer({ mode: "boolean" }).notNull().default(false),
  /** Set while the rooms of its chats forget it; nobody is in it any more. */
  deleted_at: text(),
  /** What all of it may cost a month, in micro-dollars: its admins are warned. */
  budget_micros: integer(),
  /** What each member may cost a month, in micro-dollars, unless a budget of their own says otherwise. */
  member_budget_micros: integer(),
});

/** Who is in a team, and whether they may manage it. */
export const teamMembers = sqliteTable(
  "team_members",
  {
    team_id: text()
      .notNull()
      .references(() => teams.id, { onDelete: "cascade" }),
    user_id: text()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    role: text({ enum: ["admin", "member"] }).notNull(),
    created_at: text().notNull(),
    id: text().$defaultFn(() => crypto.randomUUID()),
    /** A budget of this member's own for a month, in micro-dollars. */
    budget_micros: integer(),
  },
  (table) => [primaryKey({ columns: [table.team_id, table.user_id] }), index("team_members_by_user").on(table.user_id)],
);

/** Who was in a team from when until when, under the name they had as they left. */
export const formerMembers = sqliteTable(
  "former_members",
  {
    team_id: text()
      .notNull()
      .references(() => teams.id, { onDelete: "cascade" }),
    user_id: text().notNull(),
    name: text().notNull(),
    joined_at: text().notNull(),
    left_at: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.team_id, table.user_id, table.left_at] }), index("former_members_by_user").on(table.user_id)],
);

/** Addresses that are invited to a team. */
export const teamInvitations = sqliteTable(
  "team_invitations",
  {
    id: text().primaryKey(),
    team_id: text()
      .notNull()
      .references(() => teams.id, { onDelete: "cascade" }),
    /** Trimmed and in lower case. */
    email: text().notNull(),
    /** The date says whether one is expired. */
    status: text({ enum: ["pending", "accepted", "cancelled"] })
      .notNull()
      .default("pending"),
    invited_by: text().notNull(),
    accepted_by: text(),
    created_at: text().notNull(),
    expires_at: text().notNull(),
    decided_at: text(),
  },
  (table) => [
    index("team_invitations_by_team").on(table.team_id, table.created_at),
    uniqueIndex("one_open_team_invitation")
      .on(table.team_id, table.email)
      .where(sql`status = 'pending'`),
    index("open_team_invitations_by_address")
      .on(table.email)
      .where(sql`status = 'pending'`),
  ],
);
