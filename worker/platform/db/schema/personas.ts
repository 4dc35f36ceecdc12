import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { teams } from "./teams.ts";
import { users } from "./users.ts";

/** Personas; a partial unique index keeps one default and one personalized persona a user. */
export const personas = sqliteTable("user_system_prompts", {
  id: text().primaryKey(),
  user_id: text()
    .notNull()
    .references(() => users.id, { onDelete: "cascade" }),
  team_id: text().references(() => teams.id, { onDelete: "set null" }),
  name: text().notNull(),
  content: text().notNull(),
  personalization: text(),
  is_personalized: integer({ mode: "boolean" }).notNull().default(false),
  is_default: integer({ mode: "boolean" }).notNull().default(false),
  version: integer().notNull().default(1),
  created_at: text().notNull(),
  updated_at: text().notNull(),
  /** Its text came from a link or a file, and its owner has not changed it since. */
  is_untrusted: integer({ mode: "boolean" }).notNull().default(false),
});

/** What personas said before their changes. */
export const personaVersions = sqliteTable(
  "user_system_prompt_versions",
  {
    persona_id: text()
      .notNull()
      .references(() => personas.id, { onDelete: "cascade" }),
    version: integer().notNull(),
    name: text().notNull(),
    content: text().notNull(),
    personalization: text(),
    created_at: text().notNull(),
    /** As of the persona itself. */
    is_untrusted: integer({ mode: "boolean" }).notNull().default(false),
  },
  (table) => [primaryKey({ columns: [table.persona_id, table.version] })],
);
