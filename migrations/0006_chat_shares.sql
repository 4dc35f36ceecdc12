CREATE TABLE teams (
  id TEXT PRIMARY KEY NOT NULL,
  name TEXT NOT NULL,
  description TEXT,
  created_by TEXT NOT NULL,
  created_at TEXT NOT NULL
);

CREATE TABLE team_members (
  team_id TEXT NOT NULL REFERENCES teams (id) ON DELETE CASCADE,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  role TEXT NOT NULL,
  created_at TEXT NOT NULL,
  PRIMARY KEY (team_id, user_id)
) WITHOUT ROWID;

CREATE INDEX team_members_by_user ON team_members (user_id);

-- Without a user while the address is only invited.
CREATE TABLE chat_shares (
  id TEXT PRIMARY KEY NOT NULL,
  chat_id TEXT NOT NULL,
  user_id TEXT REFERENCES users (id) ON DELETE CASCADE,
  email TEXT NOT NULL,
  permission_level TEXT NOT NULL,
  shared_by TEXT NOT NULL,
  created_at TEXT NOT NULL,
  UNIQUE (chat_id, email)
) WITHOUT ROWID;

CREATE UNIQUE INDEX chat_shares_by_user ON chat_shares (user_id, chat_id) WHERE user_id IS NOT NULL;
CREATE INDEX chat_invitations_by_email ON chat_shares (email) WHERE user_id IS NULL;

CREATE TABLE chat_team_shares (
  id TEXT PRIMARY KEY NOT NULL,
  chat_id TEXT NOT NULL,
  team_id TEXT NOT NULL REFERENCES teams (id) ON DELETE CASCADE,
  permission_level TEXT NOT NULL,
  shared_by TEXT NOT NULL,
  created_at TEXT NOT NULL,
  UNIQUE (chat_id, team_id)
) WITHOUT ROWID;

CREATE INDEX chat_team_shares_by_team ON chat_team_shares (team_id);

-- Who left a chat that reaches them through a team.
CREATE TABLE chat_departures (
  chat_id TEXT NOT NULL,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  created_at TEXT NOT NULL,
  PRIMARY KEY (chat_id, user_id)
) WITHOUT ROWID;
