import { primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { knowledge } from "./knowledge.ts";
import { users } from "./users.ts";

/** Who has an index of their Drive. */
export const driveIndexes = sqliteTable("drive_indexes", {
  user_id: text()
    .primaryKey()
    .references(() => users.id, { onDelete: "cascade" }),
  created_at: text().notNull(),
});

/** Folders of Drive whose files belong to a knowledge entry; `user_id` is whose Drive it is. */
export const knowledgeDriveFolders = sqliteTable(
  "user_context_drive_folders",
  {
    context_id: text()
      .notNull()
      .references(() => knowledge.id, { onDelete: "cascade" }),
    folder_id: text().notNull(),
    user_id: text().notNull(),
    name: text().notNull(),
    resource_key: text(),
    created_at: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.context_id, table.folder_id] })],
);
