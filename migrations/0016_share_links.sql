-- One link an item: a new one takes its place. The token itself is kept nowhere.
CREATE TABLE share_links (
  kind TEXT NOT NULL,
  content_id TEXT NOT NULL,
  token_hash TEXT NOT NULL UNIQUE,
  created_at TEXT NOT NULL,
  PRIMARY KEY (kind, content_id)
) WITHOUT ROWID;

CREATE TRIGGER share_links_of_personas AFTER DELETE ON user_system_prompts
BEGIN
  DELETE FROM share_links WHERE kind = 'persona' AND content_id = OLD.id;
END;

CREATE TRIGGER share_links_of_prompts AFTER DELETE ON template_messages
BEGIN
  DELETE FROM share_links WHERE kind = 'prompt' AND content_id = OLD.id;
END;
