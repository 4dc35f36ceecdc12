CREATE TABLE users (
  id TEXT PRIMARY KEY NOT NULL,
  display_name TEXT NOT NULL,
  email TEXT UNIQUE,
  profile_image TEXT,
  anonymous INTEGER NOT NULL DEFAULT 0,
  solo_plan INTEGER NOT NULL DEFAULT 0,
  team_plan INTEGER NOT NULL DEFAULT 0,
  credits_micros INTEGER NOT NULL DEFAULT 0,
  preferred_model TEXT,
  model_allowlist TEXT,
  preferences TEXT,
  auto_mode_default INTEGER NOT NULL DEFAULT 0,
  artifacts_enabled INTEGER NOT NULL DEFAULT 1,
  memory_enabled INTEGER NOT NULL DEFAULT 1,
  triggered_model TEXT,
  triggered_tool_categories TEXT,
  triggered_system_prompt_id TEXT,
  triggered_context_ids TEXT,
  triggered_memory_enabled INTEGER NOT NULL DEFAULT 1,
  triggered_autopilot_enabled INTEGER NOT NULL DEFAULT 0,
  triggered_reply_all_enabled INTEGER NOT NULL DEFAULT 0,
  created_at TEXT NOT NULL,
  last_seen_at TEXT NOT NULL
);

CREATE INDEX guests_by_last_seen ON users (last_seen_at, id) WHERE anonymous = 1;

CREATE TABLE identities (
  provider TEXT NOT NULL,
  subject TEXT NOT NULL,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  created_at TEXT NOT NULL,
  PRIMARY KEY (provider, subject)
);

CREATE INDEX identities_by_user ON identities (user_id);

CREATE TABLE sessions (
  id TEXT PRIMARY KEY NOT NULL,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  user_agent TEXT NOT NULL,
  created_at TEXT NOT NULL,
  last_seen_at TEXT NOT NULL,
  expires_at TEXT NOT NULL
);

CREATE INDEX sessions_by_user ON sessions (user_id);
CREATE INDEX sessions_by_expiry ON sessions (expires_at);

CREATE TABLE sign_in_codes (
  email TEXT PRIMARY KEY NOT NULL,
  code_hash TEXT NOT NULL,
  tries INTEGER NOT NULL DEFAULT 0,
  expires_at TEXT NOT NULL
);

CREATE INDEX sign_in_codes_by_expiry ON sign_in_codes (expires_at);
