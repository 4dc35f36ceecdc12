-- The content stands last, so that lists, which need all but it, read none of its pages; its beginning and its bytes stand before it.
CREATE TABLE prompts_rebuilt (
  id TEXT PRIMARY KEY NOT NULL,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  team_id TEXT REFERENCES teams (id) ON DELETE SET NULL,
  name TEXT NOT NULL,
  steps INTEGER NOT NULL DEFAULT 1,
  fields INTEGER NOT NULL DEFAULT 0,
  tool_categories TEXT,
  persona_id TEXT,
  model_id TEXT,
  context_ids TEXT,
  position REAL NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  length INTEGER NOT NULL DEFAULT 0,
  beginning TEXT NOT NULL DEFAULT '',
  content TEXT NOT NULL
);

INSERT INTO prompts_rebuilt
SELECT
  id, user_id, team_id, name, steps, fields, tool_categories, persona_id, model_id, context_ids, position, created_at, updated_at,
  length(CAST(content AS BLOB)), substr(content, 1, 400), content
FROM template_messages;

-- The uses go first: with the table that they belong to they would be deleted.
CREATE TABLE uses_kept AS SELECT * FROM template_message_uses;
DROP TABLE template_message_uses;
DROP TABLE template_messages;
ALTER TABLE prompts_rebuilt RENAME TO template_messages;

CREATE INDEX template_messages_by_user ON template_messages (user_id, position, length);
CREATE INDEX template_messages_by_team ON template_messages (team_id) WHERE team_id IS NOT NULL;

-- Went with the table.
CREATE TRIGGER share_links_of_prompts AFTER DELETE ON template_messages
BEGIN
  DELETE FROM share_links WHERE kind = 'prompt' AND content_id = OLD.id;
END;

CREATE TABLE template_message_uses (
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  prompt_id TEXT NOT NULL REFERENCES template_messages (id) ON DELETE CASCADE,
  uses INTEGER NOT NULL,
  last_used_at TEXT NOT NULL,
  PRIMARY KEY (user_id, prompt_id)
) WITHOUT ROWID;

CREATE INDEX template_message_uses_by_prompt ON template_message_uses (prompt_id);
INSERT INTO template_message_uses (user_id, prompt_id, uses, last_used_at) SELECT user_id, prompt_id, uses, last_used_at FROM uses_kept;
DROP TABLE uses_kept;
