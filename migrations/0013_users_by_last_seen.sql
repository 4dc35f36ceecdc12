-- Whoever was about in the last day has their list compared with the rooms each night.
CREATE INDEX users_by_last_seen ON users (last_seen_at, id);
