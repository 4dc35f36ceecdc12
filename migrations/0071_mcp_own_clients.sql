-- The client that a person registered at a connection's authorization server themselves, sealed.
ALTER TABLE mcp_connections ADD COLUMN client TEXT;
