CREATE TABLE invites (
  id TEXT PRIMARY KEY NOT NULL,
  code TEXT NOT NULL UNIQUE,
  created_by TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  created_at TEXT NOT NULL,
  -- The month of UTC whose balance it counts against; null for an administrator's, which counts against none.
  month TEXT,
  sent_to TEXT,
  auto_activate INTEGER NOT NULL DEFAULT 1,
  team_plan INTEGER NOT NULL DEFAULT 0,
  solo_plan INTEGER NOT NULL DEFAULT 0,
  team_id TEXT REFERENCES teams (id) ON DELETE SET NULL,
  initial_credits_micros INTEGER NOT NULL
);

CREATE INDEX invites_by_creator ON invites (created_by, month);
CREATE INDEX invites_by_month ON invites (month) WHERE month IS NOT NULL;

-- The key makes a code hold once: a second use fails, and whatever is written with it.
CREATE TABLE invite_uses (
  invite_id TEXT PRIMARY KEY NOT NULL REFERENCES invites (id) ON DELETE CASCADE,
  user_id TEXT REFERENCES users (id) ON DELETE SET NULL,
  used_at TEXT NOT NULL,
  -- When its plan began to hold; null while an administrator has yet to approve it.
  activated_at TEXT
);

CREATE INDEX invite_uses_by_user ON invite_uses (user_id) WHERE user_id IS NOT NULL;
CREATE INDEX plans_that_wait ON invite_uses (used_at) WHERE activated_at IS NULL;
