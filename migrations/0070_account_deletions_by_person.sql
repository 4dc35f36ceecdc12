-- What of a deletion failed again and again, as JSON: `chats ID` or `others ID`; it is taken up once more at the end.
ALTER TABLE account_deletions ADD COLUMN failing TEXT NOT NULL DEFAULT '[]';

-- A person who leaves is looked up by these; each is written as seldom as its row is made.
CREATE INDEX chat_shares_by_sharer ON chat_shares (shared_by);
CREATE INDEX chat_team_shares_by_sharer ON chat_team_shares (shared_by);
CREATE INDEX chat_departures_by_user ON chat_departures (user_id);
CREATE INDEX artifact_shares_by_sharer ON artifact_shares (shared_by);
CREATE INDEX artifact_shares_by_email ON artifact_shares (email);
CREATE INDEX artifact_team_shares_by_sharer ON artifact_team_shares (shared_by);
CREATE INDEX artifact_marks_by_user ON artifact_marks (user_id);
CREATE INDEX artifact_versions_by_author ON artifact_versions (author_id);
CREATE INDEX user_context_files_by_user ON user_context_files (user_id);
CREATE INDEX sign_in_codes_by_email ON sign_in_codes (email);
CREATE INDEX invites_by_addressee ON invites (lower(sent_to)) WHERE sent_to IS NOT NULL;
CREATE INDEX team_invitations_by_email ON team_invitations (email);
CREATE INDEX team_invitations_by_inviter ON team_invitations (invited_by);
CREATE INDEX team_invitations_by_accepter ON team_invitations (accepted_by) WHERE accepted_by IS NOT NULL;
CREATE INDEX credit_gifts_by_user ON credit_gifts (user_id);
CREATE INDEX teams_by_creator ON teams (created_by);
CREATE INDEX uploads_by_chat ON uploads (chat_id);
CREATE INDEX audit_log_by_actor ON audit_log (actor_id);
CREATE INDEX audit_log_by_subject_email ON audit_log (subject_email) WHERE subject_email IS NOT NULL;
CREATE INDEX audit_log_by_subject_name ON audit_log (subject_name);
