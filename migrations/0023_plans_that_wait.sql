-- When an administrator refused the plan of an invite; null while it waits, and where it holds.
ALTER TABLE invite_uses ADD COLUMN refused_at TEXT;

DROP INDEX plans_that_wait;
CREATE INDEX plans_that_wait ON invite_uses (used_at, invite_id) WHERE activated_at IS NULL AND refused_at IS NULL;

-- Who used an invite in a month, page by page.
DROP INDEX invites_by_month;
CREATE INDEX invites_by_month ON invites (month, created_by) WHERE month IS NOT NULL;

-- That a new month of invites began for somebody, and what they did with the one before; balances are counted and do not need it.
CREATE TABLE invite_resets (
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  month TEXT NOT NULL,
  at TEXT NOT NULL,
  made_before INTEGER NOT NULL,
  PRIMARY KEY (user_id, month)
) WITHOUT ROWID;

-- An open invitation to a team lets its address sign up.
CREATE INDEX open_team_invitations_by_address ON team_invitations (email) WHERE status = 'pending';
