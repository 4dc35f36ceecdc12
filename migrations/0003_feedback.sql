CREATE TABLE feedback (
  id TEXT PRIMARY KEY NOT NULL,
  user_id TEXT REFERENCES users (id) ON DELETE SET NULL,
  message TEXT NOT NULL,
  created_at TEXT NOT NULL
);

CREATE INDEX feedback_by_time ON feedback (created_at);
CREATE INDEX feedback_by_user ON feedback (user_id);
