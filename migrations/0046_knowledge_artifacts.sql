-- Which version of the artifact the entry's index holds; stale_since is set from a change until the job that reads it begins.
ALTER TABLE user_context_artifacts ADD COLUMN indexed_version INTEGER;
ALTER TABLE user_context_artifacts ADD COLUMN stale_since TEXT;
