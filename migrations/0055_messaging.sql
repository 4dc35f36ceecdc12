-- What came in and went out by the messaging app, by the app's own id of each message: what came in waits here, once, until it is in its chat.
CREATE TABLE messaging_messages (
  id TEXT PRIMARY KEY NOT NULL,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  chat_id TEXT,
  state TEXT NOT NULL,
  sent_at INTEGER NOT NULL,
  message TEXT,
  tries INTEGER NOT NULL DEFAULT 0,
  created_at TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX messaging_messages_by_user ON messaging_messages (user_id, state, sent_at);
CREATE INDEX messaging_messages_by_time ON messaging_messages (created_at);

-- The chat in which a person's conversation goes on, and until when a job works off what they wrote.
CREATE TABLE messaging_conversations (
  user_id TEXT PRIMARY KEY NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  chat_id TEXT,
  busy_until INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;

-- Chats of which something waits until their person writes again.
CREATE TABLE messaging_waiting (
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  chat_id TEXT NOT NULL,
  PRIMARY KEY (user_id, chat_id)
) WITHOUT ROWID;
