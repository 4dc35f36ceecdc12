import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** How often each kind of security event happened on a day of UTC; who and whence stand in the log alone. */
export const securityDays = sqliteTable(
  "security_days",
  { day: text().notNull(), kind: text().notNull(), events: integer().notNull() },
  (table) => [primaryKey({ columns: [table.day, table.kind] })],
);
