-- When who is signed in last proved it; a session of before has to once more before what needs it fresh.
ALTER TABLE sessions ADD COLUMN proved_at TEXT;
-- Sessions of browsers that keep nothing.
ALTER TABLE sessions ADD COLUMN is_brief INTEGER NOT NULL DEFAULT 0;
