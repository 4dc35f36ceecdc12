-- What an artifact takes of its owner's storage, in bytes: the texts of its history and its pictures.
ALTER TABLE artifacts ADD COLUMN stored INTEGER NOT NULL DEFAULT 0;

UPDATE artifacts SET stored =
  (SELECT COALESCE(sum(size), 0) FROM artifact_versions v WHERE v.artifact_id = artifacts.id AND v.replaced_at IS NULL)
  + (SELECT COALESCE(sum(size), 0) FROM artifact_files f WHERE f.artifact_id = artifacts.id);

CREATE TRIGGER artifact_versions_add AFTER INSERT ON artifact_versions WHEN NEW.replaced_at IS NULL
BEGIN
  UPDATE artifacts SET stored = stored + NEW.size WHERE id = NEW.artifact_id;
END;

CREATE TRIGGER artifact_versions_replace AFTER UPDATE OF replaced_at ON artifact_versions WHEN OLD.replaced_at IS NULL AND NEW.replaced_at IS NOT NULL
BEGIN
  UPDATE artifacts SET stored = stored - OLD.size WHERE id = OLD.artifact_id;
END;

CREATE TRIGGER artifact_versions_drop AFTER DELETE ON artifact_versions WHEN OLD.replaced_at IS NULL
BEGIN
  UPDATE artifacts SET stored = stored - OLD.size WHERE id = OLD.artifact_id;
END;

CREATE TRIGGER artifact_files_add AFTER INSERT ON artifact_files
BEGIN
  UPDATE artifacts SET stored = stored + NEW.size WHERE id = NEW.artifact_id;
END;

CREATE TRIGGER artifact_files_drop AFTER DELETE ON artifact_files
BEGIN
  UPDATE artifacts SET stored = stored - OLD.size WHERE id = OLD.artifact_id;
END;
