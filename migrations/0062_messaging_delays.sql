-- A message that cannot be worked off right now comes again from `due_at` in epoch milliseconds, having been put off `delays` times;
-- `notice` is what is to be said about it, once that is known.
ALTER TABLE messaging_messages ADD COLUMN due_at INTEGER NOT NULL DEFAULT 0;
ALTER TABLE messaging_messages ADD COLUMN delays INTEGER NOT NULL DEFAULT 0;
ALTER TABLE messaging_messages ADD COLUMN notice TEXT;
CREATE INDEX messaging_messages_by_state ON messaging_messages (state, due_at);
