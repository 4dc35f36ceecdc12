-- Accounts that are being deleted: what the deletion still has to know once the account itself is nameless. A row goes with its end.
CREATE TABLE account_deletions (
  user_id TEXT PRIMARY KEY NOT NULL,
  -- Whom the mail goes to that says that it is done; null where no mail may go there.
  mail_to TEXT,
  origin TEXT NOT NULL,
  -- JSON: every address that was proven.
  addresses TEXT NOT NULL,
  picture TEXT,
  stage TEXT NOT NULL,
  -- How far the stage is: the last id that is done.
  after TEXT NOT NULL DEFAULT '',
  -- The second pass finds what was on its way during the first.
  pass INTEGER NOT NULL DEFAULT 1,
  started_at TEXT NOT NULL,
  touched_at TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX account_deletions_by_touch ON account_deletions (touched_at);

-- The log only grows; names and addresses alone give way, and only those of an account that is being deleted.
DROP TRIGGER audit_log_is_not_changed;
CREATE TRIGGER audit_log_is_not_changed BEFORE UPDATE ON audit_log
WHEN NOT (
  NEW.seq = OLD.seq AND NEW.id = OLD.id AND NEW.at = OLD.at AND NEW.act = OLD.act AND NEW.reason IS OLD.reason
  AND NEW.actor_id = OLD.actor_id AND NEW.subject_kind = OLD.subject_kind AND NEW.subject_id = OLD.subject_id
  AND NEW.before IS OLD.before AND NEW.after IS OLD.after
  AND (
    (NEW.actor_name = OLD.actor_name AND NEW.actor_email IS OLD.actor_email)
    OR (NEW.actor_name = 'Deleted user' AND NEW.actor_email IS NULL
      AND EXISTS (SELECT 1 FROM account_deletions d WHERE d.user_id = OLD.actor_id))
  )
  AND (
    (NEW.subject_name = OLD.subject_name AND NEW.subject_email IS OLD.subject_email)
    OR (NEW.subject_name = 'Deleted user' AND NEW.subject_email IS NULL AND EXISTS (
      SELECT 1 FROM account_deletions d
      WHERE d.user_id = OLD.subject_id
        OR OLD.subject_email IN (SELECT value FROM json_each(d.addresses))
        OR OLD.subject_name IN (SELECT value FROM json_each(d.addresses))
    ))
  )
)
BEGIN
  SELECT RAISE(ABORT, 'the audit log only grows');
END;
