-- Where a person signed in last, so that objects which others make for them are near them.
ALTER TABLE users ADD COLUMN region TEXT;
