import { migrateObject } from "#worker/platform/migrate-object.ts";

/**
 * The room's own tables, forward only: each entry runs once, in order, and is never edited after it has landed.
 * No table is made before its chat, so asking for a chat that doesn't exist stores nothing.
 */
const MIGRATIONS: readonly string[] = [
  `CREATE TABLE chat (
     id TEXT PRIMARY KEY NOT NULL,
     owner_id TEXT NOT NULL,
     title TEXT NOT NULL,
     title_source TEXT NOT NULL,
     head_id TEXT,
     cost_micros INTEGER NOT NULL DEFAULT 0,
     version INTEGER NOT NULL DEFAULT 0,
     created_at TEXT NOT NULL,
     last_at TEXT NOT NULL,
     last_preview TEXT NOT NULL DEFAULT '',
     last_sender_id TEXT,
     last_sender_name TEXT,
     turn TEXT,
     queue_state TEXT,
     forked_from TEXT,
     activity_seq INTEGER NOT NULL DEFAULT 0,
     activity_by TEXT,
     is_access_pending INTEGER NOT NULL DEFAULT 0,
     is_public INTEGER NOT NULL DEFAULT 0,
     published TEXT,
     main_id TEXT,
     settings TEXT,
     stored_seq INTEGER NOT NULL DEFAULT 0,
     stored_reported INTEGER NOT NULL DEFAULT 0,
     team_ids TEXT NOT NULL DEFAULT '[]',
     team_id TEXT,
     last_model_id TEXT,
     owner_name TEXT,
     is_untrusted INTEGER NOT NULL DEFAULT 0
   ) WITHOUT ROWID;
   CREATE TABLE messages (
     seq INTEGER PRIMARY KEY,
     id TEXT NOT NULL UNIQUE,
     parent_id TEXT,
     role TEXT NOT NULL,
     content TEXT NOT NULL,
     author_id TEXT,
     author_name TEXT,
     model_id TEXT,
     requested_model_id TEXT,
     status TEXT NOT NULL,
     reasoning TEXT,
     reasoning_details TEXT,
     reasoning_ms INTEGER,
     citations TEXT,
     cost_micros INTEGER,
     usage TEXT,
     finish_reason TEXT,
     error TEXT,
     generation INTEGER NOT NULL DEFAULT 0,
     last_seq INTEGER NOT NULL DEFAULT 0,
     request_hash TEXT,
     reply_id TEXT,
     created_at TEXT NOT NULL,
     attachments TEXT,
     autopilot TEXT,
     worked_ms INTEGER,
     persona TEXT,
     mail TEXT,
     memory TEXT,
     knowledge TEXT,
     schedule TEXT,
     messaging TEXT,
     trusted_for TEXT,
     payer_id TEXT,
     used_own INTEGER NOT NULL DEFAULT 0
   );
   CREATE INDEX messages_by_parent ON messages (parent_id);
   CREATE TABLE readers (
     user_id TEXT PRIMARY KEY NOT NULL,
     leaf_id TEXT NOT NULL
   ) WITHOUT ROWID;
   CREATE TABLE outbox (
     target TEXT PRIMARY KEY NOT NULL,
     version INTEGER NOT NULL
   ) WITHOUT ROWID;
   CREATE TABLE charges (
     call_id TEXT PRIMARY KEY NOT NULL,
     payer_id TEXT NOT NULL,
     reply_id TEXT NOT NULL,
     what TEXT NOT NULL,
     model_id TEXT NOT NULL,
     amount_micros INTEGER,
     estimate_micros INTEGER NOT NULL,
     generation_id TEXT,
     is_house INTEGER NOT NULL,
     tokens INTEGER NOT NULL DEFAULT 0
   ) WITHOUT ROWID;
   CREATE TABLE checkpoints (
     reply_id TEXT NOT NULL,
     part INTEGER NOT NULL,
     body TEXT NOT NULL,
     PRIMARY KEY (reply_id, part)
   ) WITHOUT ROWID;
   CREATE TABLE todos (
     id TEXT PRIMARY KEY NOT NULL,
     text TEXT NOT NULL,
     status TEXT NOT NULL,
     order_index REAL NOT NULL,
     created_at TEXT NOT NULL,
     trusted_for TEXT
   ) WITHOUT ROWID;
   CREATE TABLE tool_rounds (
     reply_id TEXT NOT NULL,
     round INTEGER NOT NULL,
     text_end INTEGER NOT NULL,
     reasoning_end INTEGER NOT NULL,
     reasoning_ms INTEGER NOT NULL,
     reasoning_details TEXT,
     usage TEXT,
     PRIMARY KEY (reply_id, round)
   ) WITHOUT ROWID;
   CREATE TABLE tool_calls (
     reply_id TEXT NOT NULL,
     round INTEGER NOT NULL,
     position INTEGER NOT NULL,
     id TEXT NOT NULL,
     given_id TEXT NOT NULL,
     generation INTEGER NOT NULL,
     tool TEXT NOT NULL,
     arguments TEXT NOT NULL,
     edited_input TEXT,
     status TEXT NOT NULL,
     delivery TEXT NOT NULL,
     approval TEXT,
     at INTEGER NOT NULL,
     output TEXT,
     sources TEXT,
     images TEXT,
     parts TEXT,
     cost_micros INTEGER,
     duration_ms INTEGER,
     prompt_tokens INTEGER NOT NULL DEFAULT 0,
     completion_tokens INTEGER NOT NULL DEFAULT 0,
     reasoning_tokens INTEGER NOT NULL DEFAULT 0,
     PRIMARY KEY (reply_id, round, position)
   ) WITHOUT ROWID;
   CREATE TABLE attachments (
     id TEXT PRIMARY KEY NOT NULL,
     uploader_id TEXT NOT NULL,
     object_id TEXT NOT NULL,
     name TEXT NOT NULL,
     type TEXT NOT NULL,
     size INTEGER NOT NULL,
     kind TEXT NOT NULL,
     characters INTEGER NOT NULL,
     is_complete INTEGER NOT NULL,
     unread TEXT,
     is_used INTEGER NOT NULL DEFAULT 0,
     pages INTEGER,
     is_own INTEGER NOT NULL DEFAULT 0
   ) WITHOUT ROWID;
   CREATE TABLE queue (
     id TEXT PRIMARY KEY NOT NULL,
     position REAL NOT NULL,
     request_id TEXT NOT NULL,
     request_hash TEXT NOT NULL,
     is_waiting INTEGER NOT NULL DEFAULT 1,
     author_id TEXT NOT NULL,
     author_name TEXT NOT NULL,
     ip TEXT,
     content TEXT NOT NULL,
     attachments TEXT,
     step INTEGER,
     steps INTEGER,
     created_at TEXT NOT NULL,
     settings TEXT,
     settings_once TEXT,
     mail_id TEXT,
     messaging TEXT
   ) WITHOUT ROWID;
   CREATE TABLE compactions (
     question_id TEXT PRIMARY KEY NOT NULL,
     last_id TEXT NOT NULL,
     status TEXT NOT NULL,
     messages INTEGER NOT NULL,
     summary TEXT
   ) WITHOUT ROWID;
   CREATE TABLE call_steps (
     call_id TEXT NOT NULL,
     step TEXT NOT NULL,
     result TEXT NOT NULL,
     PRIMARY KEY (call_id, step)
   ) WITHOUT ROWID;
   CREATE TABLE members (
     user_id TEXT NOT NULL,
     via TEXT NOT NULL,
     name TEXT NOT NULL,
     level TEXT NOT NULL,
     shared_by_id TEXT NOT NULL,
     shared_by_name TEXT NOT NULL,
     team_id TEXT,
     PRIMARY KEY (user_id, via)
   ) WITHOUT ROWID;
   CREATE INDEX members_by_sharer ON members (shared_by_id);
   CREATE TABLE mails (
     seq INTEGER PRIMARY KEY,
     id TEXT NOT NULL UNIQUE,
     delivery_key TEXT UNIQUE,
     direction TEXT NOT NULL,
     state TEXT NOT NULL,
     from_addr TEXT NOT NULL,
     from_name TEXT NOT NULL,
     to_addr TEXT NOT NULL,
     cc_addr TEXT NOT NULL,
     reply_to_addr TEXT NOT NULL,
     subject TEXT NOT NULL,
     text_body TEXT NOT NULL,
     quoted_body TEXT,
     authentication TEXT,
     attachments TEXT NOT NULL,
     message_id TEXT,
     in_reply_to TEXT,
     reference_ids TEXT NOT NULL,
     is_automatic INTEGER NOT NULL,
     sender_id TEXT,
     raw_object TEXT,
     raw_size INTEGER NOT NULL,
     is_read INTEGER NOT NULL,
     turn_id TEXT,
     reply_id TEXT,
     note TEXT,
     created_at TEXT NOT NULL,
     with_data_of TEXT
   );
   CREATE INDEX mails_by_message_id ON mails (message_id) WHERE message_id IS NOT NULL;
   CREATE INDEX mails_by_turn ON mails (turn_id) WHERE turn_id IS NOT NULL;
   CREATE INDEX mails_by_reply ON mails (reply_id) WHERE direction = 'out';
   CREATE INDEX mails_quarantined ON mails (seq, created_at) WHERE state = 'quarantined';
   CREATE TABLE mail_senders (
     address TEXT PRIMARY KEY NOT NULL,
     rule TEXT NOT NULL,
     decided_by TEXT NOT NULL,
     created_at TEXT NOT NULL
   ) WITHOUT ROWID;
   CREATE TABLE outgoing_mails (
     mail_id TEXT PRIMARY KEY NOT NULL,
     answers_id TEXT UNIQUE,
     queued_at INTEGER NOT NULL,
     first_tried_at INTEGER,
     is_claimed INTEGER NOT NULL DEFAULT 0,
     tries INTEGER NOT NULL DEFAULT 0,
     provider_id TEXT,
     needs_approval INTEGER NOT NULL DEFAULT 0,
     shares_answer_to TEXT
   ) WITHOUT ROWID;
   CREATE INDEX outgoing_mails_held ON outgoing_mails (queued_at) WHERE needs_approval = 1;
   CREATE TABLE mail_suppressed (
     address TEXT PRIMARY KEY NOT NULL,
     reason TEXT NOT NULL,
     created_at TEXT NOT NULL
   ) WITHOUT ROWID;
   CREATE TABLE mail_reminders (
     mail_id TEXT PRIMARY KEY NOT NULL,
     user_id TEXT NOT NULL,
     due_at INTEGER NOT NULL,
     note TEXT NOT NULL
   ) WITHOUT ROWID;
   CREATE TABLE approval_mails (
     call_id TEXT PRIMARY KEY NOT NULL,
     token TEXT NOT NULL UNIQUE,
     user_id TEXT NOT NULL,
     answer TEXT
   ) WITHOUT ROWID;
   CREATE TABLE runs (
     seq INTEGER PRIMARY KEY AUTOINCREMENT,
     call_id TEXT UNIQUE NOT NULL,
     user_id TEXT NOT NULL,
     state TEXT NOT NULL,
     ref TEXT,
     turn_id TEXT NOT NULL,
     is_concluded INTEGER NOT NULL DEFAULT 0,
     is_stopping INTEGER NOT NULL DEFAULT 0,
     run TEXT NOT NULL
   );
   CREATE TABLE messaging_in (
     id TEXT PRIMARY KEY NOT NULL,
     message_id TEXT NOT NULL UNIQUE,
     user_id TEXT NOT NULL,
     state TEXT NOT NULL,
     item TEXT,
     taken_at INTEGER NOT NULL,
     is_delay_notified INTEGER NOT NULL DEFAULT 0
   ) WITHOUT ROWID;
   CREATE TABLE messaging_out (
     seq INTEGER PRIMARY KEY AUTOINCREMENT,
     id TEXT NOT NULL UNIQUE,
     reply_id TEXT,
     user_id TEXT NOT NULL,
     context TEXT,
     body TEXT NOT NULL,
     state TEXT NOT NULL,
     sent_id TEXT,
     tried_at INTEGER,
     tries INTEGER NOT NULL DEFAULT 0,
     error TEXT
   );
   CREATE INDEX messaging_out_by_reply ON messaging_out (reply_id) WHERE reply_id IS NOT NULL;
   CREATE INDEX messaging_out_sent ON messaging_out (sent_id) WHERE sent_id IS NOT NULL;
   CREATE INDEX messaging_out_open ON messaging_out (seq) WHERE state IN ('queued', 'sending');`,
  "ALTER TABLE messages ADD COLUMN context TEXT",
];

/** Storages whose tables are there and up to date, which is asked a dozen times a turn. */
const upToDate = new WeakSet<SqlStorage>();

/** True once a chat was founded here; reads only the catalogue's start, as that table is the first, so it is free on an empty object. */
export function isCreated(sql: SqlStorage): boolean {
  return upToDate.has(sql) || sql.exec("SELECT 1 FROM sqlite_master WHERE name = 'schema_version' LIMIT 1").toArray().length > 0;
}

/** Brings the room's tables up to date. */
export function migrate(storage: DurableObjectStorage): void {
  migrateObject(storage, MIGRATIONS);
  upToDate.add(storage.sql);
}

/** Drops the tables and all else that the room stores. */
export function dropAll(storage: DurableObjectStorage): Promise<void> {
  upToDate.delete(storage.sql);
  return storage.deleteAll();
}
