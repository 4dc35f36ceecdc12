CREATE TABLE user_tool_settings (
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  tool_id TEXT NOT NULL,
  enabled INTEGER NOT NULL,
  is_always_on_override INTEGER NOT NULL,
  always_allowed INTEGER NOT NULL,
  updated_at TEXT NOT NULL,
  PRIMARY KEY (user_id, tool_id)
) WITHOUT ROWID;
