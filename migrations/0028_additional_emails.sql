-- Proven addresses besides an account's own; the key lets each belong to one account alone.
CREATE TABLE additional_emails (
  email TEXT PRIMARY KEY NOT NULL,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  verified_at TEXT NOT NULL
);

CREATE INDEX additional_emails_by_user ON additional_emails (user_id, verified_at);

-- The address that an account is about to prove, one at a time.
CREATE TABLE additional_email_codes (
  user_id TEXT PRIMARY KEY NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  email TEXT NOT NULL,
  code_hash TEXT NOT NULL,
  tries INTEGER NOT NULL DEFAULT 0,
  expires_at TEXT NOT NULL
);

CREATE INDEX additional_email_codes_by_expiry ON additional_email_codes (expires_at);
