-- Browsers that are told by web push: each is of one session and goes with it. `endpoint` is the browser's address at its push service.
CREATE TABLE push_devices (
  id TEXT PRIMARY KEY NOT NULL,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  session_id TEXT NOT NULL UNIQUE REFERENCES sessions (id) ON DELETE CASCADE,
  endpoint TEXT NOT NULL UNIQUE,
  p256dh TEXT NOT NULL,
  auth TEXT NOT NULL,
  name TEXT NOT NULL,
  created_at TEXT NOT NULL
);
CREATE INDEX push_devices_by_user ON push_devices (user_id);
-- The kinds of notices that a person wants no push about, as JSON; null for none.
ALTER TABLE users ADD COLUMN push_muted TEXT;
