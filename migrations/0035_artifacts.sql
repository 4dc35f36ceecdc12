-- The text lies in R2, under `artifacts/{id}/{body}`.
CREATE TABLE artifacts (
  id TEXT PRIMARY KEY NOT NULL,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  title TEXT NOT NULL,
  preview TEXT NOT NULL,
  version INTEGER NOT NULL,
  body TEXT NOT NULL,
  size INTEGER NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL
) WITHOUT ROWID;

CREATE INDEX artifacts_by_update ON artifacts (user_id, updated_at, id);
CREATE INDEX artifacts_by_creation ON artifacts (user_id, created_at, id);
CREATE INDEX artifacts_by_title ON artifacts (user_id, title COLLATE NOCASE, id);

-- One that a later save of the same sitting took the place of is no part of the history; its text stays a while for saves begun from it.
CREATE TABLE artifact_versions (
  artifact_id TEXT NOT NULL REFERENCES artifacts (id) ON DELETE CASCADE,
  version INTEGER NOT NULL,
  kind TEXT NOT NULL,
  body TEXT NOT NULL,
  size INTEGER NOT NULL,
  author_id TEXT NOT NULL,
  model_id TEXT,
  chat_id TEXT,
  message_id TEXT,
  restored_from INTEGER,
  -- When its author's sitting began.
  begun_at TEXT NOT NULL,
  created_at TEXT NOT NULL,
  replaced_at TEXT,
  PRIMARY KEY (artifact_id, version)
) WITHOUT ROWID;

-- Shares carry the artifact's time, so that lists of what is shared go by an index too. Without a user while the address is only invited.
CREATE TABLE artifact_shares (
  id TEXT PRIMARY KEY NOT NULL,
  artifact_id TEXT NOT NULL REFERENCES artifacts (id) ON DELETE CASCADE,
  user_id TEXT REFERENCES users (id) ON DELETE CASCADE,
  email TEXT NOT NULL,
  permission_level TEXT NOT NULL,
  shared_by TEXT NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  UNIQUE (artifact_id, email)
) WITHOUT ROWID;

CREATE UNIQUE INDEX artifact_shares_by_pair ON artifact_shares (artifact_id, user_id) WHERE user_id IS NOT NULL;
CREATE INDEX artifact_shares_by_user ON artifact_shares (user_id, updated_at, artifact_id) WHERE user_id IS NOT NULL;
CREATE INDEX artifact_invitations_by_email ON artifact_shares (email) WHERE user_id IS NULL;

CREATE TABLE artifact_team_shares (
  id TEXT PRIMARY KEY NOT NULL,
  artifact_id TEXT NOT NULL REFERENCES artifacts (id) ON DELETE CASCADE,
  team_id TEXT NOT NULL REFERENCES teams (id) ON DELETE CASCADE,
  permission_level TEXT NOT NULL,
  shared_by TEXT NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  UNIQUE (artifact_id, team_id)
) WITHOUT ROWID;

CREATE INDEX artifact_team_shares_by_team ON artifact_team_shares (team_id, updated_at, artifact_id);

CREATE TRIGGER artifact_shares_follow AFTER UPDATE OF updated_at ON artifacts
BEGIN
  UPDATE artifact_shares SET updated_at = NEW.updated_at WHERE artifact_id = NEW.id;
  UPDATE artifact_team_shares SET updated_at = NEW.updated_at WHERE artifact_id = NEW.id;
END;

-- Each reader's own: the pin, and the version they last looked at.
CREATE TABLE artifact_marks (
  artifact_id TEXT NOT NULL REFERENCES artifacts (id) ON DELETE CASCADE,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  is_pinned INTEGER NOT NULL DEFAULT 0,
  seen_version INTEGER,
  PRIMARY KEY (artifact_id, user_id)
) WITHOUT ROWID;

CREATE INDEX artifact_pins ON artifact_marks (user_id) WHERE is_pinned = 1;

-- Pictures; each lies in R2 under `artifacts/{artifact_id}/files/{id}`.
CREATE TABLE artifact_files (
  id TEXT PRIMARY KEY NOT NULL,
  artifact_id TEXT NOT NULL REFERENCES artifacts (id) ON DELETE CASCADE,
  user_id TEXT NOT NULL,
  name TEXT NOT NULL,
  type TEXT NOT NULL,
  size INTEGER NOT NULL,
  created_at TEXT NOT NULL
) WITHOUT ROWID;

CREATE INDEX artifact_files_by_artifact ON artifact_files (artifact_id);
CREATE INDEX artifact_files_by_user ON artifact_files (user_id, size);
