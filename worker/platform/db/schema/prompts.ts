import { integer, primaryKey, real, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { teams } from "./teams.ts";
import { users } from "./users.ts";

/**
 * Prompts; `position` orders those of one user, `steps` counts what the content runs in, `fields` what it asks for, `length` its bytes.
 * The content stands behind what lists read, who read none of it.
 */
export const prompts = sqliteTable("template_messages", {
  id: text().primaryKey(),
  user_id: text()
    .notNull()
    .references(() => users.id, { onDelete: "cascade" }),
  team_id: text().references(() => teams.id, { onDelete: "set null" }),
  name: text().notNull(),
  steps: integer().notNull().default(1),
  fields: integer().notNull().default(0),
  tool_categories: text({ mode: "json" }).$type<string[]>(),
  persona_id: text(),
  model_id: text(),
  context_ids: text({ mode: "json" }).$type<string[]>(),
  position: real().notNull(),
  created_at: text().notNull(),
  updated_at: text().notNull(),
  length: integer().notNull().default(0),
  beginning: text().notNull().default(""),
  content: text().notNull(),
  /** True where somebody else than its creator said last what it says. */
  is_changed_by_others: integer({ mode: "boolean" }).notNull().default(false),
});

/** How often each person used a prompt. */
export const promptUses = sqliteTable(
  "template_message_uses",
  {
    user_id: text()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    prompt_id: text()
      .notNull()
      .references(() => prompts.id, { onDelete: "cascade" }),
    uses: integer().notNull(),
    last_used_at: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.user_id, table.prompt_id] })],
);
