-- No code lives longer than ten minutes, so those of the old table are let go.
DROP TABLE sign_in_codes;

CREATE TABLE sign_in_codes (
  browser TEXT NOT NULL,
  email TEXT NOT NULL,
  code_hash TEXT NOT NULL,
  link_hash TEXT NOT NULL UNIQUE,
  tries INTEGER NOT NULL DEFAULT 0,
  expires_at TEXT NOT NULL,
  PRIMARY KEY (browser, email)
);

CREATE INDEX sign_in_codes_by_expiry ON sign_in_codes (expires_at);
