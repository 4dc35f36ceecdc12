-- Since when a file is being read or copied: what began long ago lost its job. Uploads that never came are looked for by their age.
ALTER TABLE user_context_files ADD COLUMN reading_since TEXT;
CREATE INDEX user_context_files_arriving ON user_context_files (created_at) WHERE is_stored = 0;
