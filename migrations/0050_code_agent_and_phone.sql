-- People's connections to the code agent; the token is sealed, and error says why it does not work any more.
CREATE TABLE codegen_connections (
  user_id TEXT PRIMARY KEY NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  org_id TEXT NOT NULL,
  token TEXT NOT NULL,
  error TEXT,
  created_at TEXT NOT NULL
) WITHOUT ROWID;
-- When a person's chats may call somebody, in hours of their own day, and how often; without a row the defaults hold.
CREATE TABLE call_settings (
  user_id TEXT PRIMARY KEY NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  from_hour INTEGER NOT NULL,
  until_hour INTEGER NOT NULL,
  calls_per_day INTEGER NOT NULL
) WITHOUT ROWID;
