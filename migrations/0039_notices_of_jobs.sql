-- Whether a person wants mails about imports and indexes that are done.
ALTER TABLE users ADD COLUMN notify_imports INTEGER NOT NULL DEFAULT 1;
-- Days after which a call that nobody decided about is discarded; null where the deployment's number holds.
ALTER TABLE users ADD COLUMN approval_days INTEGER;
