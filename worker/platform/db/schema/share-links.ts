import { primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** Links to personas, prompts and knowledge, one an item; triggers remove them with their items. */
export const shareLinks = sqliteTable(
  "share_links",
  {
    kind: text({ enum: ["persona", "prompt", "knowledge"] }).notNull(),
    content_id: text().notNull(),
    token_hash: text().notNull().unique(),
    created_at: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.kind, table.content_id] })],
);
