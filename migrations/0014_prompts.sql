CREATE TABLE template_messages (
  id TEXT PRIMARY KEY NOT NULL,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  team_id TEXT REFERENCES teams (id) ON DELETE SET NULL,
  name TEXT NOT NULL,
  content TEXT NOT NULL,
  steps INTEGER NOT NULL DEFAULT 1,
  tool_categories TEXT,
  persona_id TEXT,
  model_id TEXT,
  context_ids TEXT,
  position REAL NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL
);

CREATE INDEX template_messages_by_user ON template_messages (user_id, position);
CREATE INDEX template_messages_by_team ON template_messages (team_id) WHERE team_id IS NOT NULL;

CREATE TABLE template_message_uses (
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  prompt_id TEXT NOT NULL REFERENCES template_messages (id) ON DELETE CASCADE,
  uses INTEGER NOT NULL,
  last_used_at TEXT NOT NULL,
  PRIMARY KEY (user_id, prompt_id)
) WITHOUT ROWID;

CREATE INDEX template_message_uses_by_prompt ON template_message_uses (prompt_id);
