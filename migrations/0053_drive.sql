-- Who has an index of their Drive; what is in it lies in objects of its own.
CREATE TABLE drive_indexes (
  user_id TEXT PRIMARY KEY NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  created_at TEXT NOT NULL
) WITHOUT ROWID;
-- Folders of Drive whose files belong to an entry, those that are added to them later too.
CREATE TABLE user_context_drive_folders (
  context_id TEXT NOT NULL REFERENCES user_contexts (id) ON DELETE CASCADE,
  folder_id TEXT NOT NULL,
  user_id TEXT NOT NULL,
  name TEXT NOT NULL,
  resource_key TEXT,
  created_at TEXT NOT NULL,
  PRIMARY KEY (context_id, folder_id)
) WITHOUT ROWID;
CREATE INDEX user_context_drive_folders_by_user ON user_context_drive_folders (user_id);
ALTER TABLE user_context_files ADD COLUMN google_drive_resource_key TEXT;
CREATE UNIQUE INDEX user_context_files_by_drive ON user_context_files (context_id, google_drive_file_id) WHERE google_drive_file_id IS NOT NULL;
