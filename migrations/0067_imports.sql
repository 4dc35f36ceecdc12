-- What people bring from elsewhere: one row an upload and its import. `cursor` counts the items of its plan that are done; `counts` is JSON
-- of what came of each kind; `upload_id` is the storage's, while the file's parts come in; `has_file` is 1 while any of it is stored.
CREATE TABLE imports (
  id TEXT PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  size INTEGER NOT NULL,
  state TEXT NOT NULL,
  upload_id TEXT,
  has_file INTEGER NOT NULL,
  source TEXT,
  error TEXT,
  items INTEGER,
  cursor INTEGER NOT NULL DEFAULT 0,
  counts TEXT NOT NULL DEFAULT '{}',
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  ended_at TEXT
);
CREATE INDEX imports_by_user ON imports (user_id, created_at);
CREATE INDEX imports_with_file ON imports (updated_at) WHERE has_file = 1;
-- One at a time for each person.
CREATE UNIQUE INDEX imports_under_way ON imports (user_id) WHERE state IN ('uploading', 'ready', 'reading', 'importing');

CREATE TABLE import_parts (
  import_id TEXT NOT NULL REFERENCES imports (id) ON DELETE CASCADE,
  number INTEGER NOT NULL,
  etag TEXT NOT NULL,
  PRIMARY KEY (import_id, number)
);

-- What did not come, or not as it was, each with its reason.
CREATE TABLE import_notes (
  import_id TEXT NOT NULL REFERENCES imports (id) ON DELETE CASCADE,
  item INTEGER NOT NULL,
  number INTEGER NOT NULL,
  kind TEXT NOT NULL,
  title TEXT NOT NULL,
  reason TEXT NOT NULL,
  PRIMARY KEY (import_id, item, number)
);

-- What came before, by what it is called where it comes from: `version` grows with it, `target_id` is what it became here, `done_at` is
-- null while it is on its way; `import_id` and `item` are what brought it last.
CREATE TABLE imported_items (
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  source TEXT NOT NULL,
  kind TEXT NOT NULL,
  key TEXT NOT NULL,
  version INTEGER NOT NULL,
  target_id TEXT NOT NULL,
  import_id TEXT NOT NULL,
  item INTEGER NOT NULL,
  done_at TEXT,
  PRIMARY KEY (user_id, source, kind, key)
);
