-- The workspace that a chat was begun in; null for a personal one, for copies, and for those of before.
ALTER TABLE chats ADD COLUMN team_id TEXT;
