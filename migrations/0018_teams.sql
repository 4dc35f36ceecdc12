ALTER TABLE teams ADD COLUMN members_restricted INTEGER NOT NULL DEFAULT 0;
ALTER TABLE teams ADD COLUMN content_admin_only INTEGER NOT NULL DEFAULT 0;
-- Set while its chats' rooms forget it; nobody is in it any more.
ALTER TABLE teams ADD COLUMN deleted_at TEXT;

ALTER TABLE team_members ADD COLUMN id TEXT;
UPDATE team_members SET id = lower(
  hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2) || '-a' || substr(hex(randomblob(2)), 2) || '-' ||
  hex(randomblob(6))
);

CREATE TABLE team_invitations (
  id TEXT PRIMARY KEY NOT NULL,
  team_id TEXT NOT NULL REFERENCES teams (id) ON DELETE CASCADE,
  email TEXT NOT NULL,
  status TEXT NOT NULL DEFAULT 'pending',
  invited_by TEXT NOT NULL,
  accepted_by TEXT,
  created_at TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  decided_at TEXT
) WITHOUT ROWID;

CREATE INDEX team_invitations_by_team ON team_invitations (team_id, created_at);
CREATE UNIQUE INDEX one_open_team_invitation ON team_invitations (team_id, email) WHERE status = 'pending';
