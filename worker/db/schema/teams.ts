import { index, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { users } from "./users.ts";

/** Groups of people that things are shared with. */
export const teams = sqliteTable("teams", {
  id: text().primaryKey(),
  name: text().notNull(),
  description: text(),
  created_by: text().notNull(),
  created_at: text().notNull(),
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
  },
  (table) => [primaryKey({ columns: [table.team_id, table.user_id] }), index("team_members_by_user").on(table.user_id)],
);
