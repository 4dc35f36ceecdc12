CREATE TABLE user_system_prompts (
  id TEXT PRIMARY KEY NOT NULL,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  team_id TEXT REFERENCES teams (id) ON DELETE SET NULL,
  name TEXT NOT NULL,
  content TEXT NOT NULL,
  personalization TEXT,
  is_personalized INTEGER NOT NULL DEFAULT 0,
  is_default INTEGER NOT NULL DEFAULT 0,
  version INTEGER NOT NULL DEFAULT 1,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL
);

CREATE INDEX user_system_prompts_by_user ON user_system_prompts (user_id);
CREATE INDEX user_system_prompts_by_team ON user_system_prompts (team_id) WHERE team_id IS NOT NULL;
CREATE UNIQUE INDEX one_default_persona ON user_system_prompts (user_id) WHERE is_default = 1;
CREATE UNIQUE INDEX one_personalized_persona ON user_system_prompts (user_id) WHERE is_personalized = 1;

CREATE TABLE user_system_prompt_versions (
  persona_id TEXT NOT NULL REFERENCES user_system_prompts (id) ON DELETE CASCADE,
  version INTEGER NOT NULL,
  name TEXT NOT NULL,
  content TEXT NOT NULL,
  personalization TEXT,
  created_at TEXT NOT NULL,
  PRIMARY KEY (persona_id, version)
) WITHOUT ROWID;

ALTER TABLE users ADD COLUMN default_persona_id TEXT;
CREATE INDEX users_by_default_persona ON users (default_persona_id) WHERE default_persona_id IS NOT NULL;
