import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { users } from "./users.ts";

const STATES = ["uploading", "ready", "reading", "importing", "done", "failed", "cancelled"] as const;
const SOURCES = ["chatgpt", "claude", "polylogue"] as const;

function ofUser() {
  return text()
    .notNull()
    .references(() => users.id, { onDelete: "cascade" });
}

/** Imports of what people import from elsewhere, one at a time for each (a partial index of the migration). */
export const imports = sqliteTable(
  "imports",
  {
    id: text().primaryKey(),
    user_id: ofUser(),
    name: text().notNull(),
    /** Bytes. */
    size: integer().notNull(),
    state: text({ enum: STATES }).notNull(),
    /** The storage's name of the upload, while its parts come in. */
    upload_id: text(),
    /** False once nothing of the file is stored any more. */
    has_file: integer({ mode: "boolean" }).notNull(),
    source: text({ enum: SOURCES }),
    error: text(),
    items: integer(),
    /** Items of the plan that are done. */
    cursor: integer().notNull().default(0),
    /** JSON of `ImportCounts`. */
    counts: text().notNull().default("{}"),
    /** Bytes unpacked of the file, all messages together. */
    unpacked: integer().notNull().default(0),
    created_at: text().notNull(),
    updated_at: text().notNull(),
    ended_at: text(),
  },
  (table) => [index("imports_by_user").on(table.user_id, table.created_at)],
);

function ofImport() {
  return text()
    .notNull()
    .references(() => imports.id, { onDelete: "cascade" });
}

/** The parts of an upload that are stored. */
export const importParts = sqliteTable(
  "import_parts",
  { import_id: ofImport(), number: integer().notNull(), etag: text().notNull() },
  (table) => [primaryKey({ columns: [table.import_id, table.number] })],
);

/** What did not come, or not as it was. */
export const importNotes = sqliteTable(
  "import_notes",
  {
    import_id: ofImport(),
    item: integer().notNull(),
    number: integer().notNull(),
    kind: text().notNull(),
    title: text().notNull(),
    reason: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.import_id, table.item, table.number] })],
);

/** What came before, by what it is called where it comes from, and what it became here. */
export const importedItems = sqliteTable(
  "imported_items",
  {
    user_id: ofUser(),
    source: text({ enum: SOURCES }).notNull(),
    kind: text().notNull(),
    key: text().notNull(),
    /** Grows with it. */
    version: integer().notNull(),
    target_id: text().notNull(),
    /** The import, and the item of it, that imported it last. */
    import_id: text().notNull(),
    item: integer().notNull(),
    /** Null while it is on its way. */
    done_at: text(),
  },
  (table) => [primaryKey({ columns: [table.user_id, table.source, table.kind, table.key] })],
);
