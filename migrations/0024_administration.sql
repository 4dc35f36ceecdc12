ALTER TABLE users ADD COLUMN blocked_at TEXT;

-- Accounts by the beginning of their name, and of what follows its first word.
CREATE INDEX users_by_name ON users (lower(display_name), id) WHERE anonymous = 0;
CREATE INDEX users_by_later_name ON users (lower(substr(display_name, instr(display_name, ' ') + 1)), id) WHERE anonymous = 0;

ALTER TABLE feedback ADD COLUMN done_at TEXT;
CREATE INDEX feedback_open ON feedback (created_at, id) WHERE done_at IS NULL;
CREATE INDEX feedback_done ON feedback (created_at, id) WHERE done_at IS NOT NULL;

CREATE INDEX invites_by_time ON invites (created_at, id);

DROP INDEX failed_jobs_by_time;
CREATE INDEX failed_jobs_by_time ON failed_jobs (failed_at, id);

-- What administrators did. Who did it and to whom stands here by name as well, as both may be gone one day.
CREATE TABLE audit_log (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  at TEXT NOT NULL,
  actor_id TEXT NOT NULL,
  actor_name TEXT NOT NULL,
  actor_email TEXT,
  act TEXT NOT NULL,
  reason TEXT,
  subject_kind TEXT NOT NULL,
  subject_id TEXT NOT NULL,
  subject_name TEXT NOT NULL,
  subject_email TEXT,
  before TEXT,
  after TEXT
);

CREATE INDEX audit_log_by_subject ON audit_log (subject_id, seq);

CREATE TRIGGER audit_log_is_not_changed BEFORE UPDATE ON audit_log
BEGIN
  SELECT RAISE(ABORT, 'the audit log only grows');
END;

CREATE TRIGGER audit_log_is_not_deleted BEFORE DELETE ON audit_log
BEGIN
  SELECT RAISE(ABORT, 'the audit log only grows');
END;

-- INSERT OR REPLACE deletes without the trigger above.
CREATE TRIGGER audit_log_is_not_replaced BEFORE INSERT ON audit_log
WHEN EXISTS (SELECT 1 FROM audit_log WHERE id = NEW.id OR seq = NEW.seq)
BEGIN
  SELECT RAISE(ABORT, 'the audit log only grows');
END;
