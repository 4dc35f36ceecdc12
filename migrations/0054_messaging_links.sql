-- The numbers that people write from in the messaging app: one number has one account, and an account one number.
-- `wa_user_id` is the app's own id of the person, known once they wrote; until `window_until` they may be answered freely.
CREATE TABLE messaging_links (
  user_id TEXT PRIMARY KEY NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  phone TEXT NOT NULL UNIQUE,
  wa_user_id TEXT UNIQUE,
  verified_at TEXT NOT NULL,
  window_until TEXT
) WITHOUT ROWID;
