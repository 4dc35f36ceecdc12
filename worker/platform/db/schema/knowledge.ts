import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { teams } from "./teams.ts";
import { users } from "./users.ts";

/** Knowledge entries. `is_untrusted` is text that came from elsewhere. The text stands last: whoever reads the others reads none of it. */
export const knowledge = sqliteTable("user_contexts", {
  id: text().primaryKey(),
  user_id: text()
    .notNull()
    .references(() => users.id, { onDelete: "cascade" }),
  team_id: text().references(() => teams.id, { onDelete: "set null" }),
  name: text().notNull(),
  is_untrusted: integer({ mode: "boolean" }).notNull().default(false),
  created_at: text().notNull(),
  updated_at: text().notNull(),
  beginning: text().notNull().default(""),
  text_content: text().notNull().default(""),
});

/** Files of knowledge entries, whose bytes lie in R2. */
export const knowledgeFiles = sqliteTable(
  "user_context_files",
  {
    id: text().primaryKey(),
    context_id: text()
      .notNull()
      .references(() => knowledge.id, { onDelete: "cascade" }),
    user_id: text().notNull(),
    file_url: text().notNull(),
    file_name: text().notNull(),
    file_type: text().notNull(),
    file_size: integer().notNull(),
    created_at: text().notNull(),
    file_source: text({ enum: ["google_drive", "upload"] })
      .notNull()
      .default("upload"),
    google_drive_file_id: text(),
    google_drive_folder_id: text(),
    google_drive_mime_type: text(),
    google_drive_modified_time: text(),
    sync_status: text({ enum: ["pending", "synced", "error"] })
      .notNull()
      .default("pending"),
    object_key: text().notNull(),
    /** False while its bytes are on their way. */
    is_stored: integer({ mode: "boolean" }).notNull().default(false),
    /** Where an import copies them from. */
    copied_from: text(),
    pages: integer(),
    /** Characters of its text, which lies beside it. */
    characters: integer().notNull().default(0),
    unread: text(),
    /** Pages of a scan, which hold no text: what reading them as pictures is paid by. */
    scan_pages: integer(),
    /** Names the reading under way, so an earlier one's end is not taken for it. */
    reading: text(),
    /** Since when it is being read or copied. */
    reading_since: text(),
    /** What Drive wants besides the file's id, where it wants that. */
    google_drive_resource_key: text(),
  },
  (table) => [
    index("user_context_files_by_context").on(table.context_id, table.created_at),
    index("user_context_files_arriving")
      .on(table.created_at)
      .where(sql`${table.is_stored} = 0`),
  ],
);

/** Artifacts of knowledge entries. */
export const knowledgeArtifacts = sqliteTable(
  "user_context_artifacts",
  {
    context_id: text()
      .notNull()
      .references(() => knowledge.id, { onDelete: "cascade" }),
    artifact_id: text().notNull(),
    created_at: text().notNull(),
    /** The version that the entry's index holds; null for none yet. */
    indexed_version: integer(),
    /** Since when a job is on its way that reads it again. */
    stale_since: text(),
  },
  (table) => [
    primaryKey({ columns: [table.context_id, table.artifact_id] }),
    index("user_context_artifacts_by_artifact").on(table.artifact_id),
  ],
);
