-- What opens a person's Drive to Google's Picker for an hour, and nothing else; sealed.
CREATE TABLE google_picker_tokens (
  user_id TEXT PRIMARY KEY NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  token TEXT NOT NULL,
  expires_at TEXT NOT NULL
) WITHOUT ROWID;
