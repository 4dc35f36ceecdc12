-- The number of the messaging app that an account is about to prove, one at a time.
CREATE TABLE messaging_codes (
  user_id TEXT PRIMARY KEY NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  phone TEXT NOT NULL,
  code_hash TEXT NOT NULL,
  tries INTEGER NOT NULL DEFAULT 0,
  expires_at TEXT NOT NULL
) WITHOUT ROWID;

CREATE INDEX messaging_codes_by_expiry ON messaging_codes (expires_at);
