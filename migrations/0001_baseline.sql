CREATE TABLE users (
  id TEXT PRIMARY KEY NOT NULL,
  display_name TEXT NOT NULL,
  email TEXT UNIQUE,
  profile_image TEXT,
  anonymous INTEGER NOT NULL DEFAULT 0,
  solo_plan INTEGER NOT NULL DEFAULT 0,
  team_plan INTEGER NOT NULL DEFAULT 0,
  credits_micros INTEGER NOT NULL DEFAULT 0,
  preferred_model TEXT,
  model_allowlist TEXT,
  preferences TEXT,
  auto_mode_default INTEGER NOT NULL DEFAULT 0,
  artifacts_enabled INTEGER NOT NULL DEFAULT 1,
  memory_enabled INTEGER NOT NULL DEFAULT 1,
  triggered_model TEXT,
  triggered_tool_categories TEXT,
  triggered_system_prompt_id TEXT,
  triggered_context_ids TEXT,
  triggered_memory_enabled INTEGER NOT NULL DEFAULT 1,
  triggered_autopilot_enabled INTEGER NOT NULL DEFAULT 0,
  triggered_reply_all_enabled INTEGER NOT NULL DEFAULT 0,
  created_at TEXT NOT NULL,
  last_seen_at TEXT NOT NULL,
  default_persona_id TEXT,
  triggered_daily_budget_micros INTEGER NOT NULL DEFAULT 1000000,
  time_zone TEXT,
  browser_time_zone TEXT,
  blocked_at TEXT,
  notify_replies INTEGER NOT NULL DEFAULT 0,
  notify_approvals INTEGER NOT NULL DEFAULT 1,
  notify_shares INTEGER NOT NULL DEFAULT 1,
  notify_imports INTEGER NOT NULL DEFAULT 1,
  approval_days INTEGER,
  notify_schedules INTEGER NOT NULL DEFAULT 1,
  push_muted TEXT,
  region TEXT
);
CREATE INDEX guests_by_last_seen ON users (last_seen_at, id) WHERE anonymous = 1;
CREATE INDEX users_by_default_persona ON users (default_persona_id) WHERE default_persona_id IS NOT NULL;
CREATE INDEX users_by_last_seen ON users (last_seen_at, id);
CREATE INDEX users_by_name ON users (lower(display_name), id) WHERE anonymous = 0;
CREATE INDEX users_by_later_name ON users (lower(substr(display_name, instr(display_name, ' ') + 1)), id) WHERE anonymous = 0;

CREATE TABLE identities (
  provider TEXT NOT NULL,
  subject TEXT NOT NULL,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  created_at TEXT NOT NULL,
  email TEXT,
  PRIMARY KEY (provider, subject)
);
CREATE INDEX identities_by_user ON identities (user_id);

CREATE TABLE sessions (
  id TEXT PRIMARY KEY NOT NULL,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  user_agent TEXT NOT NULL,
  created_at TEXT NOT NULL,
  last_seen_at TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  proved_at TEXT,
  is_brief INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX sessions_by_user ON sessions (user_id);
CREATE INDEX sessions_by_expiry ON sessions (expires_at);

CREATE TABLE chats (
  id TEXT PRIMARY KEY NOT NULL,
  user_id TEXT NOT NULL,
  title TEXT NOT NULL DEFAULT '',
  public INTEGER NOT NULL DEFAULT 0,
  created_at TEXT NOT NULL,
  deleted_at TEXT,
  team_id TEXT,
  mail_token TEXT
);
CREATE INDEX chats_by_user ON chats (user_id, created_at);
CREATE UNIQUE INDEX chats_by_mail_token ON chats (mail_token) WHERE mail_token IS NOT NULL;

CREATE TABLE feedback (
  id TEXT PRIMARY KEY NOT NULL,
  user_id TEXT REFERENCES users (id) ON DELETE SET NULL,
  message TEXT NOT NULL,
  created_at TEXT NOT NULL,
  done_at TEXT
);
CREATE INDEX feedback_by_time ON feedback (created_at);
CREATE INDEX feedback_by_user ON feedback (user_id);
CREATE INDEX feedback_open ON feedback (created_at, id) WHERE done_at IS NULL;
CREATE INDEX feedback_done ON feedback (created_at, id) WHERE done_at IS NOT NULL;

CREATE TABLE user_tool_settings (
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  tool_id TEXT NOT NULL,
  enabled INTEGER NOT NULL,
  is_always_on_override INTEGER NOT NULL,
  always_allowed INTEGER NOT NULL,
  updated_at TEXT NOT NULL,
  PRIMARY KEY (user_id, tool_id)
) WITHOUT ROWID;

CREATE TABLE uploads (
  id TEXT PRIMARY KEY NOT NULL,
  chat_id TEXT NOT NULL,
  created_at TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX uploads_by_time ON uploads (created_at);
CREATE INDEX uploads_by_chat ON uploads (chat_id);

CREATE TABLE teams (
  id TEXT PRIMARY KEY NOT NULL,
  name TEXT NOT NULL,
  description TEXT,
  created_by TEXT NOT NULL,
  created_at TEXT NOT NULL,
  members_restricted INTEGER NOT NULL DEFAULT 0,
  content_admin_only INTEGER NOT NULL DEFAULT 0,
  deleted_at TEXT,
  budget_micros INTEGER,
  member_budget_micros INTEGER
);
CREATE INDEX teams_by_creator ON teams (created_by);

CREATE TABLE team_members (
  team_id TEXT NOT NULL REFERENCES teams (id) ON DELETE CASCADE,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  role TEXT NOT NULL,
  created_at TEXT NOT NULL,
  id TEXT,
  budget_micros INTEGER,
  PRIMARY KEY (team_id, user_id)
) WITHOUT ROWID;
CREATE INDEX team_members_by_user ON team_members (user_id);

CREATE TABLE chat_shares (
  id TEXT PRIMARY KEY NOT NULL,
  chat_id TEXT NOT NULL,
  user_id TEXT REFERENCES users (id) ON DELETE CASCADE,
  email TEXT NOT NULL,
  permission_level TEXT NOT NULL,
  shared_by TEXT NOT NULL,
  created_at TEXT NOT NULL,
  was_invited INTEGER NOT NULL DEFAULT 0,
  UNIQUE (chat_id, email)
) WITHOUT ROWID;
CREATE UNIQUE INDEX chat_shares_by_user ON chat_shares (user_id, chat_id) WHERE user_id IS NOT NULL;
CREATE INDEX chat_invitations_by_email ON chat_shares (email) WHERE user_id IS NULL;
CREATE INDEX chat_shares_by_sharer ON chat_shares (shared_by);

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
CREATE INDEX chat_team_shares_by_sharer ON chat_team_shares (shared_by);

CREATE TABLE chat_departures (
  chat_id TEXT NOT NULL,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  created_at TEXT NOT NULL,
  PRIMARY KEY (chat_id, user_id)
) WITHOUT ROWID;
CREATE INDEX chat_departures_by_user ON chat_departures (user_id);

CREATE TABLE sign_in_codes (
  browser TEXT NOT NULL,
  email TEXT NOT NULL,
  code_hash TEXT NOT NULL,
  link_hash TEXT NOT NULL UNIQUE,
  tries INTEGER NOT NULL DEFAULT 0,
  expires_at TEXT NOT NULL,
  PRIMARY KEY (browser, email)
);
CREATE INDEX sign_in_codes_by_expiry ON sign_in_codes (expires_at);
CREATE INDEX sign_in_codes_by_email ON sign_in_codes (email);

CREATE TABLE credit_gifts (
  mailbox TEXT PRIMARY KEY NOT NULL,
  user_id TEXT NOT NULL,
  created_at TEXT NOT NULL
);
CREATE INDEX credit_gifts_by_user ON credit_gifts (user_id);

CREATE TABLE user_system_prompts (
  id TEXT PRIMARY KEY NOT NULL,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  team_id TEXT REFERENCES teams (id) ON DELETE SET NULL,
  name TEXT NOT NULL,
  content TEXT NOT NULL,
  personalization TEXT,
  is_personalized INTEGER NOT NULL DEFAULT 0,
  is_default INTEGER NOT NULL DEFAULT 0,
  version INTEGER NOT NULL DEFAULT 1,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  is_untrusted INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX user_system_prompts_by_user ON user_system_prompts (user_id);
CREATE INDEX user_system_prompts_by_team ON user_system_prompts (team_id) WHERE team_id IS NOT NULL;
CREATE UNIQUE INDEX one_default_persona ON user_system_prompts (user_id) WHERE is_default = 1;
CREATE UNIQUE INDEX one_personalized_persona ON user_system_prompts (user_id) WHERE is_personalized = 1;

CREATE TRIGGER share_links_of_personas AFTER DELETE ON user_system_prompts
BEGIN
  DELETE FROM share_links WHERE kind = 'persona' AND content_id = OLD.id;
END;

CREATE TABLE user_system_prompt_versions (
  persona_id TEXT NOT NULL REFERENCES user_system_prompts (id) ON DELETE CASCADE,
  version INTEGER NOT NULL,
  name TEXT NOT NULL,
  content TEXT NOT NULL,
  personalization TEXT,
  created_at TEXT NOT NULL,
  is_untrusted INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (persona_id, version)
) WITHOUT ROWID;

CREATE TABLE failed_jobs (
  id TEXT PRIMARY KEY NOT NULL,
  queue TEXT NOT NULL,
  kind TEXT NOT NULL,
  payload TEXT NOT NULL,
  attempts INTEGER,
  error_name TEXT,
  error_message TEXT,
  failed_at TEXT NOT NULL,
  stuck_at TEXT,
  retry_at TEXT
);
CREATE INDEX failed_jobs_to_retry ON failed_jobs (retry_at) WHERE retry_at IS NOT NULL;
CREATE INDEX failed_jobs_by_time ON failed_jobs (failed_at, id);
CREATE INDEX failed_jobs_stuck ON failed_jobs (failed_at, id) WHERE stuck_at IS NOT NULL;
CREATE INDEX failed_jobs_trying ON failed_jobs (failed_at, id) WHERE stuck_at IS NULL;
CREATE INDEX failed_jobs_by_kind ON failed_jobs (queue, kind, stuck_at, failed_at);

CREATE TABLE share_links (
  kind TEXT NOT NULL,
  content_id TEXT NOT NULL,
  token_hash TEXT NOT NULL UNIQUE,
  created_at TEXT NOT NULL,
  PRIMARY KEY (kind, content_id)
) WITHOUT ROWID;

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
CREATE INDEX open_team_invitations_by_address ON team_invitations (email) WHERE status = 'pending';
CREATE INDEX team_invitations_by_email ON team_invitations (email);
CREATE INDEX team_invitations_by_inviter ON team_invitations (invited_by);
CREATE INDEX team_invitations_by_accepter ON team_invitations (accepted_by) WHERE accepted_by IS NOT NULL;

CREATE TABLE invites (
  id TEXT PRIMARY KEY NOT NULL,
  code TEXT NOT NULL UNIQUE,
  created_by TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  created_at TEXT NOT NULL,
  month TEXT,
  sent_to TEXT,
  auto_activate INTEGER NOT NULL DEFAULT 1,
  team_plan INTEGER NOT NULL DEFAULT 0,
  solo_plan INTEGER NOT NULL DEFAULT 0,
  team_id TEXT REFERENCES teams (id) ON DELETE SET NULL,
  initial_credits_micros INTEGER NOT NULL
);
CREATE INDEX invites_by_creator ON invites (created_by, month);
CREATE INDEX invites_by_month ON invites (month, created_by) WHERE month IS NOT NULL;
CREATE INDEX invites_by_time ON invites (created_at, id);
CREATE INDEX invites_by_addressee ON invites (lower(sent_to)) WHERE sent_to IS NOT NULL;

CREATE TABLE invite_uses (
  invite_id TEXT PRIMARY KEY NOT NULL REFERENCES invites (id) ON DELETE CASCADE,
  user_id TEXT REFERENCES users (id) ON DELETE SET NULL,
  used_at TEXT NOT NULL,
  activated_at TEXT,
  refused_at TEXT
);
CREATE INDEX invite_uses_by_user ON invite_uses (user_id) WHERE user_id IS NOT NULL;
CREATE INDEX plans_that_wait ON invite_uses (used_at, invite_id) WHERE activated_at IS NULL AND refused_at IS NULL;

CREATE TABLE template_messages (
  id TEXT PRIMARY KEY NOT NULL,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  team_id TEXT REFERENCES teams (id) ON DELETE SET NULL,
  name TEXT NOT NULL,
  steps INTEGER NOT NULL DEFAULT 1,
  fields INTEGER NOT NULL DEFAULT 0,
  tool_categories TEXT,
  persona_id TEXT,
  model_id TEXT,
  context_ids TEXT,
  position REAL NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  length INTEGER NOT NULL DEFAULT 0,
  beginning TEXT NOT NULL DEFAULT '',
  content TEXT NOT NULL,
  is_changed_by_others INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX template_messages_by_user ON template_messages (user_id, position, length);
CREATE INDEX template_messages_by_team ON template_messages (team_id) WHERE team_id IS NOT NULL;

CREATE TRIGGER share_links_of_prompts AFTER DELETE ON template_messages
BEGIN
  DELETE FROM share_links WHERE kind = 'prompt' AND content_id = OLD.id;
END;

CREATE TABLE template_message_uses (
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  prompt_id TEXT NOT NULL REFERENCES template_messages (id) ON DELETE CASCADE,
  uses INTEGER NOT NULL,
  last_used_at TEXT NOT NULL,
  PRIMARY KEY (user_id, prompt_id)
) WITHOUT ROWID;
CREATE INDEX template_message_uses_by_prompt ON template_message_uses (prompt_id);

CREATE TABLE invite_resets (
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  month TEXT NOT NULL,
  at TEXT NOT NULL,
  made_before INTEGER NOT NULL,
  PRIMARY KEY (user_id, month)
) WITHOUT ROWID;

CREATE TABLE audit_log (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  at TEXT NOT NULL,
  actor_id TEXT NOT NULL,
  actor_name TEXT NOT NULL,
  actor_email TEXT,
  action TEXT NOT NULL,
  reason TEXT,
  subject_kind TEXT NOT NULL,
  subject_id TEXT NOT NULL,
  subject_name TEXT NOT NULL,
  subject_email TEXT,
  before TEXT,
  after TEXT
);
CREATE INDEX audit_log_by_subject ON audit_log (subject_id, seq);

CREATE TRIGGER audit_log_is_not_deleted BEFORE DELETE ON audit_log
BEGIN
  SELECT RAISE(ABORT, 'the audit log only grows');
END;

CREATE TRIGGER audit_log_is_not_replaced BEFORE INSERT ON audit_log
WHEN EXISTS (SELECT 1 FROM audit_log WHERE id = NEW.id OR seq = NEW.seq)
BEGIN
  SELECT RAISE(ABORT, 'the audit log only grows');
END;

CREATE TRIGGER audit_log_is_not_changed BEFORE UPDATE ON audit_log
WHEN NOT (
  NEW.seq = OLD.seq AND NEW.id = OLD.id AND NEW.at = OLD.at AND NEW.action = OLD.action AND NEW.reason IS OLD.reason
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
CREATE INDEX audit_log_by_actor ON audit_log (actor_id);
CREATE INDEX audit_log_by_subject_email ON audit_log (subject_email) WHERE subject_email IS NOT NULL;
CREATE INDEX audit_log_by_subject_name ON audit_log (subject_name);

CREATE TABLE usage_days (
  user_id TEXT NOT NULL,
  day TEXT NOT NULL,
  team_id TEXT NOT NULL,
  model_id TEXT NOT NULL,
  calls INTEGER NOT NULL,
  tokens INTEGER NOT NULL,
  cost_micros INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  PRIMARY KEY (user_id, day, team_id, model_id)
) WITHOUT ROWID;
CREATE INDEX usage_days_by_day ON usage_days (day, model_id, cost_micros, calls, tokens);
CREATE INDEX usage_days_by_team ON usage_days (team_id, day) WHERE team_id <> '';

CREATE TRIGGER spend_days_grow AFTER INSERT ON usage_days
BEGIN
  INSERT INTO spend_days (day, model_id, calls, tokens, cost_micros)
  VALUES (NEW.day, NEW.model_id, NEW.calls, NEW.tokens, NEW.cost_micros)
  ON CONFLICT (day, model_id) DO UPDATE SET
    calls = calls + excluded.calls, tokens = tokens + excluded.tokens, cost_micros = cost_micros + excluded.cost_micros;
END;

CREATE TRIGGER spend_days_shrink AFTER DELETE ON usage_days
BEGIN
  UPDATE spend_days SET calls = calls - OLD.calls, tokens = tokens - OLD.tokens, cost_micros = cost_micros - OLD.cost_micros
  WHERE day = OLD.day AND model_id = OLD.model_id;
END;

CREATE TRIGGER spend_days_follow AFTER UPDATE ON usage_days
BEGIN
  UPDATE spend_days SET calls = calls - OLD.calls, tokens = tokens - OLD.tokens, cost_micros = cost_micros - OLD.cost_micros
  WHERE day = OLD.day AND model_id = OLD.model_id;
  INSERT INTO spend_days (day, model_id, calls, tokens, cost_micros)
  VALUES (NEW.day, NEW.model_id, NEW.calls, NEW.tokens, NEW.cost_micros)
  ON CONFLICT (day, model_id) DO UPDATE SET
    calls = calls + excluded.calls, tokens = tokens + excluded.tokens, cost_micros = cost_micros + excluded.cost_micros;
END;

CREATE TABLE former_members (
  team_id TEXT NOT NULL REFERENCES teams (id) ON DELETE CASCADE,
  user_id TEXT NOT NULL,
  name TEXT NOT NULL,
  joined_at TEXT NOT NULL,
  left_at TEXT NOT NULL,
  PRIMARY KEY (team_id, user_id, left_at)
) WITHOUT ROWID;
CREATE INDEX former_members_by_user ON former_members (user_id);

CREATE TABLE additional_emails (
  email TEXT PRIMARY KEY NOT NULL,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  verified_at TEXT NOT NULL
);
CREATE INDEX additional_emails_by_user ON additional_emails (user_id, verified_at);

CREATE TABLE additional_email_codes (
  user_id TEXT PRIMARY KEY NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  email TEXT NOT NULL,
  code_hash TEXT NOT NULL,
  tries INTEGER NOT NULL DEFAULT 0,
  expires_at TEXT NOT NULL
);
CREATE INDEX additional_email_codes_by_expiry ON additional_email_codes (expires_at);

CREATE TABLE mail_suppressions (
  address TEXT PRIMARY KEY NOT NULL,
  reason TEXT NOT NULL,
  created_at TEXT NOT NULL
);

CREATE TABLE spend_days (
  day TEXT NOT NULL,
  model_id TEXT NOT NULL,
  calls INTEGER NOT NULL,
  tokens INTEGER NOT NULL,
  cost_micros INTEGER NOT NULL,
  PRIMARY KEY (day, model_id)
) WITHOUT ROWID;

CREATE TABLE artifacts (
  id TEXT PRIMARY KEY NOT NULL,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  title TEXT NOT NULL,
  preview TEXT NOT NULL,
  version INTEGER NOT NULL,
  body TEXT NOT NULL,
  size INTEGER NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  stored INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;
CREATE INDEX artifacts_by_update ON artifacts (user_id, updated_at, id);
CREATE INDEX artifacts_by_creation ON artifacts (user_id, created_at, id);
CREATE INDEX artifacts_by_title ON artifacts (user_id, title COLLATE NOCASE, id);

CREATE TRIGGER artifact_shares_follow AFTER UPDATE OF updated_at ON artifacts
BEGIN
  UPDATE artifact_shares SET updated_at = NEW.updated_at WHERE artifact_id = NEW.id;
  UPDATE artifact_team_shares SET updated_at = NEW.updated_at WHERE artifact_id = NEW.id;
END;

CREATE TABLE artifact_versions (
  artifact_id TEXT NOT NULL REFERENCES artifacts (id) ON DELETE CASCADE,
  version INTEGER NOT NULL,
  kind TEXT NOT NULL,
  body TEXT NOT NULL,
  size INTEGER NOT NULL,
  author_id TEXT NOT NULL,
  model_id TEXT,
  chat_id TEXT,
  message_id TEXT,
  restored_from INTEGER,
  begun_at TEXT NOT NULL,
  created_at TEXT NOT NULL,
  replaced_at TEXT,
  PRIMARY KEY (artifact_id, version)
) WITHOUT ROWID;

CREATE TRIGGER artifact_versions_add AFTER INSERT ON artifact_versions WHEN NEW.replaced_at IS NULL
BEGIN
  UPDATE artifacts SET stored = stored + NEW.size WHERE id = NEW.artifact_id;
END;

CREATE TRIGGER artifact_versions_replace AFTER UPDATE OF replaced_at ON artifact_versions WHEN OLD.replaced_at IS NULL AND NEW.replaced_at IS NOT NULL
BEGIN
  UPDATE artifacts SET stored = stored - OLD.size WHERE id = OLD.artifact_id;
END;

CREATE TRIGGER artifact_versions_drop AFTER DELETE ON artifact_versions WHEN OLD.replaced_at IS NULL
BEGIN
  UPDATE artifacts SET stored = stored - OLD.size WHERE id = OLD.artifact_id;
END;
CREATE INDEX artifact_versions_by_author ON artifact_versions (author_id);

CREATE TABLE artifact_shares (
  id TEXT PRIMARY KEY NOT NULL,
  artifact_id TEXT NOT NULL REFERENCES artifacts (id) ON DELETE CASCADE,
  user_id TEXT REFERENCES users (id) ON DELETE CASCADE,
  email TEXT NOT NULL,
  permission_level TEXT NOT NULL,
  shared_by TEXT NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  UNIQUE (artifact_id, email)
) WITHOUT ROWID;
CREATE UNIQUE INDEX artifact_shares_by_pair ON artifact_shares (artifact_id, user_id) WHERE user_id IS NOT NULL;
CREATE INDEX artifact_shares_by_user ON artifact_shares (user_id, updated_at, artifact_id) WHERE user_id IS NOT NULL;
CREATE INDEX artifact_invitations_by_email ON artifact_shares (email) WHERE user_id IS NULL;
CREATE INDEX artifact_shares_by_sharer ON artifact_shares (shared_by);
CREATE INDEX artifact_shares_by_email ON artifact_shares (email);

CREATE TABLE artifact_team_shares (
  id TEXT PRIMARY KEY NOT NULL,
  artifact_id TEXT NOT NULL REFERENCES artifacts (id) ON DELETE CASCADE,
  team_id TEXT NOT NULL REFERENCES teams (id) ON DELETE CASCADE,
  permission_level TEXT NOT NULL,
  shared_by TEXT NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  UNIQUE (artifact_id, team_id)
) WITHOUT ROWID;
CREATE INDEX artifact_team_shares_by_team ON artifact_team_shares (team_id, updated_at, artifact_id);
CREATE INDEX artifact_team_shares_by_sharer ON artifact_team_shares (shared_by);

CREATE TABLE artifact_marks (
  artifact_id TEXT NOT NULL REFERENCES artifacts (id) ON DELETE CASCADE,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  is_pinned INTEGER NOT NULL DEFAULT 0,
  seen_version INTEGER,
  reviewed_version INTEGER,
  review TEXT,
  PRIMARY KEY (artifact_id, user_id)
) WITHOUT ROWID;
CREATE INDEX artifact_pins ON artifact_marks (user_id) WHERE is_pinned = 1;
CREATE INDEX artifact_marks_by_user ON artifact_marks (user_id);

CREATE TABLE artifact_files (
  id TEXT PRIMARY KEY NOT NULL,
  artifact_id TEXT NOT NULL REFERENCES artifacts (id) ON DELETE CASCADE,
  user_id TEXT NOT NULL,
  name TEXT NOT NULL,
  type TEXT NOT NULL,
  size INTEGER NOT NULL,
  created_at TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX artifact_files_by_artifact ON artifact_files (artifact_id);
CREATE INDEX artifact_files_by_user ON artifact_files (user_id, size);

CREATE TRIGGER artifact_files_add AFTER INSERT ON artifact_files
BEGIN
  UPDATE artifacts SET stored = stored + NEW.size WHERE id = NEW.artifact_id;
END;

CREATE TRIGGER artifact_files_drop AFTER DELETE ON artifact_files
BEGIN
  UPDATE artifacts SET stored = stored - OLD.size WHERE id = OLD.artifact_id;
END;

CREATE TABLE user_contexts (
  id TEXT PRIMARY KEY NOT NULL,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  team_id TEXT REFERENCES teams (id) ON DELETE SET NULL,
  name TEXT NOT NULL,
  is_untrusted INTEGER NOT NULL DEFAULT 0,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  beginning TEXT NOT NULL DEFAULT '',
  text_content TEXT NOT NULL DEFAULT ''
);
CREATE INDEX user_contexts_by_user ON user_contexts (user_id);
CREATE INDEX user_contexts_by_team ON user_contexts (team_id) WHERE team_id IS NOT NULL;

CREATE TRIGGER share_links_of_knowledge AFTER DELETE ON user_contexts
BEGIN
  DELETE FROM share_links WHERE kind = 'knowledge' AND content_id = OLD.id;
END;

CREATE TABLE user_context_files (
  id TEXT PRIMARY KEY NOT NULL,
  context_id TEXT NOT NULL REFERENCES user_contexts (id) ON DELETE CASCADE,
  user_id TEXT NOT NULL,
  file_url TEXT NOT NULL,
  file_name TEXT NOT NULL,
  file_type TEXT NOT NULL,
  file_size INTEGER NOT NULL,
  created_at TEXT NOT NULL,
  file_source TEXT NOT NULL DEFAULT 'upload',
  google_drive_file_id TEXT,
  google_drive_folder_id TEXT,
  google_drive_mime_type TEXT,
  google_drive_modified_time TEXT,
  sync_status TEXT NOT NULL DEFAULT 'pending',
  object_key TEXT NOT NULL,
  is_stored INTEGER NOT NULL DEFAULT 0,
  copied_from TEXT,
  pages INTEGER,
  characters INTEGER NOT NULL DEFAULT 0,
  unread TEXT,
  scan_pages INTEGER,
  reading TEXT,
  google_drive_resource_key TEXT,
  reading_since TEXT
);
CREATE INDEX user_context_files_by_context ON user_context_files (context_id, created_at);
CREATE UNIQUE INDEX user_context_files_by_drive ON user_context_files (context_id, google_drive_file_id) WHERE google_drive_file_id IS NOT NULL;
CREATE INDEX user_context_files_arriving ON user_context_files (created_at) WHERE is_stored = 0;
CREATE INDEX user_context_files_by_user ON user_context_files (user_id);

CREATE TABLE user_context_artifacts (
  context_id TEXT NOT NULL REFERENCES user_contexts (id) ON DELETE CASCADE,
  artifact_id TEXT NOT NULL,
  created_at TEXT NOT NULL,
  indexed_version INTEGER,
  stale_since TEXT,
  PRIMARY KEY (context_id, artifact_id)
) WITHOUT ROWID;
CREATE INDEX user_context_artifacts_by_artifact ON user_context_artifacts (artifact_id);

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
  offers TEXT,
  client TEXT
);
CREATE UNIQUE INDEX mcp_connections_by_user ON mcp_connections (user_id, substr(id, 1, 8));

CREATE TABLE codegen_connections (
  user_id TEXT PRIMARY KEY NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  org_id TEXT NOT NULL,
  token TEXT NOT NULL,
  error TEXT,
  created_at TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE call_settings (
  user_id TEXT PRIMARY KEY NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  from_hour INTEGER NOT NULL,
  until_hour INTEGER NOT NULL,
  calls_per_day INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE api_keys (
  id TEXT PRIMARY KEY NOT NULL,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  hash TEXT NOT NULL UNIQUE,
  hint TEXT NOT NULL,
  scopes TEXT NOT NULL,
  budget_micros INTEGER,
  created_at TEXT NOT NULL,
  last_used_at TEXT,
  revoked_at TEXT
);
CREATE INDEX api_keys_by_user ON api_keys (user_id, created_at);

CREATE TABLE google_connections (
  user_id TEXT PRIMARY KEY NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  subject TEXT NOT NULL,
  email TEXT NOT NULL,
  scopes TEXT NOT NULL,
  tokens TEXT NOT NULL,
  expires_at TEXT NOT NULL,
  error TEXT,
  connected_at TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE drive_indexes (
  user_id TEXT PRIMARY KEY NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  created_at TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE user_context_drive_folders (
  context_id TEXT NOT NULL REFERENCES user_contexts (id) ON DELETE CASCADE,
  folder_id TEXT NOT NULL,
  user_id TEXT NOT NULL,
  name TEXT NOT NULL,
  resource_key TEXT,
  created_at TEXT NOT NULL,
  PRIMARY KEY (context_id, folder_id)
) WITHOUT ROWID;
CREATE INDEX user_context_drive_folders_by_user ON user_context_drive_folders (user_id);

CREATE TABLE messaging_codes (
  user_id TEXT PRIMARY KEY NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  phone TEXT NOT NULL,
  code_hash TEXT NOT NULL,
  tries INTEGER NOT NULL DEFAULT 0,
  expires_at TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX messaging_codes_by_expiry ON messaging_codes (expires_at);

CREATE TABLE messaging_links (
  user_id TEXT PRIMARY KEY NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  phone TEXT NOT NULL UNIQUE,
  wa_user_id TEXT UNIQUE,
  verified_at TEXT NOT NULL,
  window_until TEXT
) WITHOUT ROWID;

CREATE TABLE messaging_messages (
  id TEXT PRIMARY KEY NOT NULL,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  chat_id TEXT,
  state TEXT NOT NULL,
  sent_at INTEGER NOT NULL,
  message TEXT,
  tries INTEGER NOT NULL DEFAULT 0,
  created_at TEXT NOT NULL,
  due_at INTEGER NOT NULL DEFAULT 0,
  delays INTEGER NOT NULL DEFAULT 0,
  notice TEXT
) WITHOUT ROWID;
CREATE INDEX messaging_messages_by_user ON messaging_messages (user_id, state, sent_at);
CREATE INDEX messaging_messages_by_time ON messaging_messages (created_at);
CREATE INDEX messaging_messages_by_state ON messaging_messages (state, due_at);

CREATE TABLE messaging_conversations (
  user_id TEXT PRIMARY KEY NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  chat_id TEXT,
  busy_until INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;

CREATE TABLE messaging_waiting (
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  chat_id TEXT NOT NULL,
  PRIMARY KEY (user_id, chat_id)
) WITHOUT ROWID;

CREATE TABLE push_devices (
  id TEXT PRIMARY KEY NOT NULL,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  session_id TEXT NOT NULL UNIQUE REFERENCES sessions (id) ON DELETE CASCADE,
  endpoint TEXT NOT NULL UNIQUE,
  p256dh TEXT NOT NULL,
  auth TEXT NOT NULL,
  name TEXT NOT NULL,
  created_at TEXT NOT NULL
);
CREATE INDEX push_devices_by_user ON push_devices (user_id);

CREATE TABLE account_exports (
  id TEXT PRIMARY KEY NOT NULL,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  state TEXT NOT NULL,
  step INTEGER NOT NULL DEFAULT 0,
  section INTEGER NOT NULL DEFAULT 0,
  cursor TEXT,
  done INTEGER NOT NULL DEFAULT 0,
  total INTEGER NOT NULL DEFAULT 0,
  entries INTEGER NOT NULL DEFAULT 0,
  size INTEGER NOT NULL DEFAULT 0,
  segments TEXT NOT NULL DEFAULT '[]',
  directory TEXT NOT NULL DEFAULT '[]',
  counts TEXT NOT NULL DEFAULT '{}',
  left_out TEXT NOT NULL DEFAULT '[]',
  left_out_count INTEGER NOT NULL DEFAULT 0,
  problem TEXT,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  expires_at TEXT
);
CREATE UNIQUE INDEX account_exports_running ON account_exports (user_id) WHERE state = 'running';
CREATE INDEX account_exports_by_user ON account_exports (user_id, created_at);
CREATE INDEX account_exports_by_expiry ON account_exports (expires_at) WHERE expires_at IS NOT NULL;

CREATE TABLE account_deletions (
  user_id TEXT PRIMARY KEY NOT NULL,
  mail_to TEXT,
  origin TEXT NOT NULL,
  addresses TEXT NOT NULL,
  picture TEXT,
  stage TEXT NOT NULL,
  after TEXT NOT NULL DEFAULT '',
  pass INTEGER NOT NULL DEFAULT 1,
  started_at TEXT NOT NULL,
  touched_at TEXT NOT NULL,
  failing TEXT NOT NULL DEFAULT '[]'
) WITHOUT ROWID;
CREATE INDEX account_deletions_by_touch ON account_deletions (touched_at);

CREATE TABLE imports (
  id TEXT PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  size INTEGER NOT NULL,
  state TEXT NOT NULL,
  upload_id TEXT,
  has_file INTEGER NOT NULL,
  source TEXT,
  error TEXT,
  items INTEGER,
  cursor INTEGER NOT NULL DEFAULT 0,
  counts TEXT NOT NULL DEFAULT '{}',
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  ended_at TEXT,
  unpacked INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX imports_by_user ON imports (user_id, created_at);
CREATE INDEX imports_with_file ON imports (updated_at) WHERE has_file = 1;
CREATE UNIQUE INDEX imports_under_way ON imports (user_id) WHERE state IN ('uploading', 'ready', 'reading', 'importing');

CREATE TABLE import_parts (
  import_id TEXT NOT NULL REFERENCES imports (id) ON DELETE CASCADE,
  number INTEGER NOT NULL,
  etag TEXT NOT NULL,
  PRIMARY KEY (import_id, number)
);

CREATE TABLE import_notes (
  import_id TEXT NOT NULL REFERENCES imports (id) ON DELETE CASCADE,
  item INTEGER NOT NULL,
  number INTEGER NOT NULL,
  kind TEXT NOT NULL,
  title TEXT NOT NULL,
  reason TEXT NOT NULL,
  PRIMARY KEY (import_id, item, number)
);

CREATE TABLE imported_items (
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  source TEXT NOT NULL,
  kind TEXT NOT NULL,
  key TEXT NOT NULL,
  version INTEGER NOT NULL,
  target_id TEXT NOT NULL,
  import_id TEXT NOT NULL,
  item INTEGER NOT NULL,
  done_at TEXT,
  PRIMARY KEY (user_id, source, kind, key)
);

CREATE TABLE google_picker_tokens (
  user_id TEXT PRIMARY KEY NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  token TEXT NOT NULL,
  expires_at TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE security_days (
  day TEXT NOT NULL,
  kind TEXT NOT NULL,
  events INTEGER NOT NULL,
  PRIMARY KEY (day, kind)
) WITHOUT ROWID;

CREATE TABLE alert_links (
  hash TEXT PRIMARY KEY NOT NULL,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  happened_at TEXT NOT NULL,
  expires_at TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX alert_links_by_user ON alert_links (user_id);
CREATE INDEX alert_links_by_expiry ON alert_links (expires_at);

CREATE TABLE night_steps (
  night TEXT NOT NULL,
  step TEXT NOT NULL,
  page INTEGER NOT NULL,
  taken_at TEXT NOT NULL,
  PRIMARY KEY (night, step)
) WITHOUT ROWID;
