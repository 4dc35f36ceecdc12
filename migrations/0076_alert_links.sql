-- What the mails about an account's ways in say 'This wasn't me' by: of each link's token, its SHA-256 alone.
CREATE TABLE alert_links (
  hash TEXT PRIMARY KEY NOT NULL,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  -- When it happened that the mail was about.
  happened_at TEXT NOT NULL,
  expires_at TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX alert_links_by_user ON alert_links (user_id);
CREATE INDEX alert_links_by_expiry ON alert_links (expires_at);
