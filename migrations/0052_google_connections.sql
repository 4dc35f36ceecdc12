-- People's connections to Google; the tokens are sealed, and error says why the grant does not hold any more.
CREATE TABLE google_connections (
  user_id TEXT PRIMARY KEY NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  subject TEXT NOT NULL,
  email TEXT NOT NULL,
  scopes TEXT NOT NULL,
  tokens TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  error TEXT,
  connected_at TEXT NOT NULL
) WITHOUT ROWID;
