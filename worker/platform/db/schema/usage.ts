import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** What a person's closed days of UTC cost by team and model, as their hub reports them; `team_id` is empty for no team. */
export const usageDays = sqliteTable(
  "usage_days",
  {
    user_id: text().notNull(),
    day: text().notNull(),
    team_id: text().notNull(),
    model_id: text().notNull(),
    calls: integer().notNull(),
    tokens: integer().notNull(),
    cost_micros: integer().notNull(),
    /** The ledger's last entry of that day when it was reported. */
    seq: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.user_id, table.day, table.team_id, table.model_id] }),
    index("usage_days_by_day").on(table.day, table.model_id, table.cost_micros, table.calls, table.tokens),
    index("usage_days_by_team")
      .on(table.team_id, table.day)
      .where(sql`team_id <> ''`),
  ],
);

/** What all people's closed days cost together by model: triggers of `usage_days` keep it. */
export const spendDays = sqliteTable(
  "spend_days",
  {
    day: text().notNull(),
    model_id: text().notNull(),
    calls: integer().notNull(),
    tokens: integer().notNull(),
    cost_micros: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.day, table.model_id] })],
);
