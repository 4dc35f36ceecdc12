-- Files on their way into a message: what is still unused a day later is deleted by the nightly job.
CREATE TABLE uploads (
  id TEXT PRIMARY KEY NOT NULL,
  chat_id TEXT NOT NULL,
  created_at TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX uploads_by_time ON uploads (created_at);
