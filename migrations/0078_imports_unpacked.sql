-- How many bytes an import has unpacked of its file, all its messages together.
ALTER TABLE imports ADD COLUMN unpacked INTEGER NOT NULL DEFAULT 0;
