-- Exports of everything that a person has. A ZIP is made in steps, each of which adds stored segments to it; 'directory' are those of its
-- central directory, which come last. A step is kept where 'step' is still what it began at, so that a repeat adds nothing twice.
CREATE TABLE account_exports (
  id TEXT PRIMARY KEY NOT NULL,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  state TEXT NOT NULL,
  step INTEGER NOT NULL DEFAULT 0,
  section INTEGER NOT NULL DEFAULT 0,
  cursor TEXT,
  done INTEGER NOT NULL DEFAULT 0,
  total INTEGER NOT NULL DEFAULT 0,
  entries INTEGER NOT NULL DEFAULT 0,
  size INTEGER NOT NULL DEFAULT 0,
  segments TEXT NOT NULL DEFAULT '[]',
  directory TEXT NOT NULL DEFAULT '[]',
  counts TEXT NOT NULL DEFAULT '{}',
  left_out TEXT NOT NULL DEFAULT '[]',
  left_out_count INTEGER NOT NULL DEFAULT 0,
  problem TEXT,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  expires_at TEXT
);
CREATE UNIQUE INDEX account_exports_running ON account_exports (user_id) WHERE state = 'running';
CREATE INDEX account_exports_by_user ON account_exports (user_id, created_at);
CREATE INDEX account_exports_by_expiry ON account_exports (expires_at) WHERE expires_at IS NOT NULL;
