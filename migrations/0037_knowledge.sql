-- The text stands last: whoever reads the other columns reads none of it.
CREATE TABLE user_contexts (
  id TEXT PRIMARY KEY NOT NULL,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  team_id TEXT REFERENCES teams (id) ON DELETE SET NULL,
  name TEXT NOT NULL,
  is_foreign INTEGER NOT NULL DEFAULT 0,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  beginning TEXT NOT NULL DEFAULT '',
  text_content TEXT NOT NULL DEFAULT ''
);
CREATE INDEX user_contexts_by_user ON user_contexts (user_id);
CREATE INDEX user_contexts_by_team ON user_contexts (team_id) WHERE team_id IS NOT NULL;

-- object_key is where a file lies once it is stored, copied_from where an import copies it from.
CREATE TABLE user_context_files (
  id TEXT PRIMARY KEY NOT NULL,
  context_id TEXT NOT NULL REFERENCES user_contexts (id) ON DELETE CASCADE,
  user_id TEXT NOT NULL,
  file_url TEXT NOT NULL,
  file_name TEXT NOT NULL,
  file_type TEXT NOT NULL,
  file_size INTEGER NOT NULL,
  created_at TEXT NOT NULL,
  file_source TEXT NOT NULL DEFAULT 'upload',
  google_drive_file_id TEXT,
  google_drive_folder_id TEXT,
  google_drive_mime_type TEXT,
  google_drive_modified_time TEXT,
  sync_status TEXT NOT NULL DEFAULT 'pending',
  object_key TEXT NOT NULL,
  is_stored INTEGER NOT NULL DEFAULT 0,
  copied_from TEXT,
  pages INTEGER,
  characters INTEGER NOT NULL DEFAULT 0,
  unread TEXT,
  scan_pages INTEGER,
  reading TEXT
);
CREATE INDEX user_context_files_by_context ON user_context_files (context_id, created_at);

CREATE TABLE user_context_artifacts (
  context_id TEXT NOT NULL REFERENCES user_contexts (id) ON DELETE CASCADE,
  artifact_id TEXT NOT NULL,
  created_at TEXT NOT NULL,
  PRIMARY KEY (context_id, artifact_id)
) WITHOUT ROWID;
CREATE INDEX user_context_artifacts_by_artifact ON user_context_artifacts (artifact_id);

CREATE TRIGGER share_links_of_knowledge AFTER DELETE ON user_contexts
BEGIN
  DELETE FROM share_links WHERE kind = 'knowledge' AND content_id = OLD.id;
END;
