-- Whether a person is mailed about schedules of theirs that have news, or failed.
ALTER TABLE users ADD COLUMN notify_schedules INTEGER NOT NULL DEFAULT 1;
