import { index, integer, primaryKey, sqliteTable, text, unique } from "drizzle-orm/sqlite-core";
import { teams } from "./teams.ts";
import { users } from "./users.ts";

const LEVELS = ["editor", "viewer"] as const;
const KINDS = ["create", "edit", "merge", "restore", "model", "review"] as const;

/** Artifacts; the text lies in R2 by version (artifacts/bodies.ts). */
export const artifacts = sqliteTable(
  "artifacts",
  {
    id: text().primaryKey(),
    user_id: text()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    title: text().notNull(),
    preview: text().notNull(),
    version: integer().notNull(),
    body: text().notNull(),
    /** Bytes. */
    size: integer().notNull(),
    created_at: text().notNull(),
    updated_at: text().notNull(),
    /** Bytes that its history and its pictures take; triggers keep it. */
    stored: integer().notNull().default(0),
  },
  (table) => [
    index("artifacts_by_update").on(table.user_id, table.updated_at, table.id),
    index("artifacts_by_creation").on(table.user_id, table.created_at, table.id),
  ],
);

function ofArtifact() {
  return text()
    .notNull()
    .references(() => artifacts.id, { onDelete: "cascade" });
}

/** What artifacts said; one with `replaced_at` is no part of the history, as a later save of the same sitting took its place. */
export const artifactVersions = sqliteTable(
  "artifact_versions",
  {
    artifact_id: ofArtifact(),
    version: integer().notNull(),
    kind: text({ enum: KINDS }).notNull(),
    body: text().notNull(),
    size: integer().notNull(),
    author_id: text().notNull(),
    model_id: text(),
    chat_id: text(),
    message_id: text(),
    restored_from: integer(),
    /** When its author's sitting began. */
    begun_at: text().notNull(),
    created_at: text().notNull(),
    replaced_at: text(),
  },
  (table) => [primaryKey({ columns: [table.artifact_id, table.version] })],
);

/** An artifact shared with one person; without `user_id` while the address is only invited. `updated_at` is the artifact's. */
export const artifactShares = sqliteTable(
  "artifact_shares",
  {
    id: text().primaryKey(),
    artifact_id: ofArtifact(),
    user_id: text().references(() => users.id, { onDelete: "cascade" }),
    /** Trimmed and in lower case. */
    email: text().notNull(),
    permission_level: text({ enum: LEVELS }).notNull(),
    shared_by: text().notNull(),
    created_at: text().notNull(),
    updated_at: text().notNull(),
  },
  (table) => [unique().on(table.artifact_id, table.email)],
);

/** An artifact shared with all members of a team, whoever they are by then; `updated_at` is the artifact's. */
export const artifactTeamShares = sqliteTable(
  "artifact_team_shares",
  {
    id: text().primaryKey(),
    artifact_id: ofArtifact(),
    team_id: text()
      .notNull()
      .references(() => teams.id, { onDelete: "cascade" }),
    permission_level: text({ enum: LEVELS }).notNull(),
    shared_by: text().notNull(),
    created_at: text().notNull(),
    updated_at: text().notNull(),
  },
  (table) => [unique().on(table.artifact_id, table.team_id), index("artifact_team_shares_by_team").on(table.team_id, table.updated_at)],
);

/** Each reader's own marks of an artifact. */
export const artifactMarks = sqliteTable(
  "artifact_marks",
  {
    artifact_id: ofArtifact(),
    user_id: text()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    is_pinned: integer({ mode: "boolean" }).notNull().default(false),
    seen_version: integer(),
    reviewed_version: integer(),
    /** JSON of how far the last review of a change came. */
    review: text(),
  },
  (table) => [primaryKey({ columns: [table.artifact_id, table.user_id] })],
);

/** The pictures of artifacts. */
export const artifactFiles = sqliteTable(
  "artifact_files",
  {
    id: text().primaryKey(),
    artifact_id: ofArtifact(),
    user_id: text().notNull(),
    name: text().notNull(),
    type: text().notNull(),
    size: integer().notNull(),
    created_at: text().notNull(),
  },
  (table) => [index("artifact_files_by_artifact").on(table.artifact_id), index("artifact_files_by_user").on(table.user_id, table.size)],
);
