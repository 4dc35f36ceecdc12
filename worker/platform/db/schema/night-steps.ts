import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** How far each step of a night has come: the page that was claimed last, the first of which is 0. */
export const nightSteps = sqliteTable(
  "night_steps",
  {
    /** When the night began, ISO 8601. */
    night: text().notNull(),
    step: text().notNull(),
    page: integer().notNull(),
    taken_at: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.night, table.step] })],
);
