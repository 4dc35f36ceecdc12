-- What a person's closed days cost, as their hub reports them; a day of UTC.
CREATE TABLE usage_days (
  user_id TEXT NOT NULL,
  day TEXT NOT NULL,
  -- Empty for what belongs to no team.
  team_id TEXT NOT NULL,
  model_id TEXT NOT NULL,
  calls INTEGER NOT NULL,
  tokens INTEGER NOT NULL,
  cost_micros INTEGER NOT NULL,
  -- The ledger's last entry of that day when it was reported: a report of no later one changes nothing.
  seq INTEGER NOT NULL,
  PRIMARY KEY (user_id, day, team_id, model_id)
) WITHOUT ROWID;

CREATE INDEX usage_days_by_day ON usage_days (day, model_id, cost_micros, calls, tokens);
CREATE INDEX usage_days_by_team ON usage_days (team_id, day) WHERE team_id <> '';

-- Who left a team, under the name they had then: what they spent in it until then stays known to its admins.
CREATE TABLE former_members (
  team_id TEXT NOT NULL REFERENCES teams (id) ON DELETE CASCADE,
  user_id TEXT NOT NULL,
  name TEXT NOT NULL,
  joined_at TEXT NOT NULL,
  left_at TEXT NOT NULL,
  PRIMARY KEY (team_id, user_id, left_at)
) WITHOUT ROWID;

CREATE INDEX former_members_by_user ON former_members (user_id);

-- Budgets of a month in micro-dollars; null for none. The team's own is for all of it, and a member's goes before the one for each member.
ALTER TABLE teams ADD COLUMN budget_micros INTEGER;
ALTER TABLE teams ADD COLUMN member_budget_micros INTEGER;
ALTER TABLE team_members ADD COLUMN budget_micros INTEGER;
