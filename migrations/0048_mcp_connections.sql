-- tools is what the person agreed to, offers what the server named when it was last asked and differs from that; the long columns stand last.
CREATE TABLE mcp_connections (
  id TEXT PRIMARY KEY NOT NULL,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  description TEXT,
  server_url TEXT NOT NULL,
  enabled INTEGER NOT NULL DEFAULT 1,
  trusted INTEGER NOT NULL DEFAULT 0,
  auth_type TEXT NOT NULL DEFAULT 'none',
  state TEXT NOT NULL DEFAULT 'ready',
  error TEXT,
  fresh_until TEXT,
  checked_at TEXT,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  credentials TEXT,
  sign_in TEXT,
  tools TEXT NOT NULL DEFAULT '[]',
  offers TEXT
);
-- A connection's tools are named by the beginning of its id.
CREATE UNIQUE INDEX mcp_connections_by_user ON mcp_connections (user_id, substr(id, 1, 8));
