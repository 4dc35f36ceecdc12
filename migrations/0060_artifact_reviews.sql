-- How far each reader came in reviewing a model's change, as JSON.
ALTER TABLE artifact_marks ADD COLUMN review TEXT;
