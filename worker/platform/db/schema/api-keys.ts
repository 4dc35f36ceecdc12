import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { API_SCOPES, type ApiScope } from "#shared/entities/library/api-key.ts";
import { users } from "./users.ts";

/** Keys that other programs reach an account with: of the secret, its SHA-256 and its last characters alone. */
export const apiKeys = sqliteTable("api_keys", {
  id: text().primaryKey(),
  user_id: text()
    .notNull()
    .references(() => users.id, { onDelete: "cascade" }),
  name: text().notNull(),
  hash: text().notNull().unique(),
  hint: text().notNull(),
  scopes: text({ mode: "json" })
    .$type<ApiScope[]>()
    .notNull()
    .default([...API_SCOPES]),
  /** What its turns may cost in a month of UTC; null where nothing bounds it but the credits. */
  budget_micros: integer(),
  created_at: text().notNull(),
  last_used_at: text(),
  /** From then on its hash is none, so nothing has it. */
  revoked_at: text(),
});
