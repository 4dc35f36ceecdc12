-- Each reader's own: the last version whose changes they reviewed.
ALTER TABLE artifact_marks ADD COLUMN reviewed_version INTEGER;
