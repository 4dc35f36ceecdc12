import { migrateObject } from "#worker/platform/migrate-object.ts";

/**
 * The hub's own tables, forward only: each entry runs once, in order, and is never edited after it has landed.
 * `changed` is the hub's cursor at a row's last change: a tab that was away asks for all rows above the one it has.
 * `place` is where a chat stands in the list (chat-views.ts): one index serves every view, and a report writes no more for it.
 */
const MIGRATIONS: readonly string[] = [
  `CREATE TABLE hub (
     cursor INTEGER NOT NULL,
     turns_at TEXT NOT NULL DEFAULT '[]',
     reported_seq INTEGER NOT NULL DEFAULT 0,
     origin TEXT,
     memory_used_at TEXT,
     memory_upkept_at INTEGER,
     memory_written TEXT,
     memory_waits_for_credit INTEGER NOT NULL DEFAULT 0
   );
   CREATE TABLE chats (
     id TEXT PRIMARY KEY NOT NULL,
     version INTEGER NOT NULL,
     changed INTEGER NOT NULL,
     row TEXT NOT NULL,
     last_at TEXT NOT NULL,
     is_read INTEGER NOT NULL DEFAULT 1,
     is_pinned INTEGER NOT NULL DEFAULT 0,
     archived INTEGER NOT NULL DEFAULT 0,
     deleted INTEGER NOT NULL DEFAULT 0,
     activity INTEGER NOT NULL DEFAULT 0,
     is_marked_unread INTEGER NOT NULL DEFAULT 0,
     is_shared INTEGER AS ( CASE WHEN row = '' THEN 0 ELSE json_extract(row, '$.isShared') OR json_extract(row, '$.hasBeenShared') END ) VIRTUAL,
     place INTEGER AS ( CASE WHEN deleted <> 0 THEN NULL WHEN archived = 1 THEN 3 WHEN is_read = 0 THEN 0 WHEN is_pinned = 1 THEN 1 ELSE 2 END ) VIRTUAL,
     teams TEXT AS ( CASE WHEN row = '' THEN '[]' ELSE COALESCE(json_extract(row, '$.teams'), '[]') END ) VIRTUAL,
     folder_id TEXT,
     tags TEXT NOT NULL DEFAULT '[]'
   ) WITHOUT ROWID;
   CREATE INDEX chats_by_change ON chats (changed);
   CREATE INDEX chats_by_place ON chats (place, last_at DESC, id DESC, teams, folder_id, tags);
   CREATE TABLE ledger (
     seq INTEGER PRIMARY KEY,
     call_id TEXT NOT NULL UNIQUE,
     at TEXT NOT NULL,
     what TEXT NOT NULL,
     chat_id TEXT,
     message_id TEXT,
     model_id TEXT,
     amount_micros INTEGER NOT NULL,
     is_house INTEGER NOT NULL DEFAULT 0,
     balance_micros INTEGER NOT NULL,
     team_id TEXT,
     tokens INTEGER NOT NULL DEFAULT 0,
     team_spent TEXT
   );
   CREATE TABLE answers (
     key TEXT PRIMARY KEY NOT NULL,
     hash TEXT NOT NULL,
     at INTEGER NOT NULL,
     body TEXT
   ) WITHOUT ROWID;
   CREATE TABLE undo (
     token TEXT NOT NULL,
     part INTEGER NOT NULL,
     action TEXT NOT NULL,
     ids TEXT NOT NULL,
     at INTEGER NOT NULL,
     PRIMARY KEY (token, part)
   ) WITHOUT ROWID;
   CREATE TABLE deletions (
     id TEXT PRIMARY KEY NOT NULL,
     total INTEGER NOT NULL,
     failed INTEGER NOT NULL,
     at INTEGER NOT NULL
   ) WITHOUT ROWID;
   CREATE TABLE doomed (
     chat_id TEXT PRIMARY KEY NOT NULL,
     deletion_id TEXT NOT NULL,
     tries INTEGER NOT NULL DEFAULT 0
   ) WITHOUT ROWID;
   CREATE TABLE reservations (
     reply_id TEXT NOT NULL,
     generation INTEGER NOT NULL,
     amount_micros INTEGER NOT NULL,
     at INTEGER NOT NULL,
     chat_id TEXT,
     team_id TEXT,
     caused_by TEXT,
     PRIMARY KEY (reply_id, generation)
   ) WITHOUT ROWID;
   CREATE TABLE stored (
     chat_id TEXT PRIMARY KEY NOT NULL,
     bytes INTEGER NOT NULL,
     seq INTEGER NOT NULL
   ) WITHOUT ROWID;
   CREATE TABLE storage_holds (
     id TEXT PRIMARY KEY NOT NULL,
     bytes INTEGER NOT NULL,
     at INTEGER NOT NULL
   ) WITHOUT ROWID;
   CREATE TABLE streams (
     reply_id TEXT PRIMARY KEY NOT NULL,
     chat_id TEXT NOT NULL,
     open INTEGER NOT NULL
   ) WITHOUT ROWID;
   CREATE TABLE team_budgets (
     team_id TEXT PRIMARY KEY NOT NULL,
     name TEXT NOT NULL,
     amount_micros INTEGER,
     at INTEGER NOT NULL
   ) WITHOUT ROWID;
   CREATE TABLE waiting_calls (
     call_id TEXT PRIMARY KEY NOT NULL,
     chat_id TEXT NOT NULL,
     reply_id TEXT NOT NULL,
     since TEXT NOT NULL,
     call TEXT NOT NULL
   ) WITHOUT ROWID;
   CREATE INDEX waiting_calls_by_chat ON waiting_calls (chat_id);
   CREATE INDEX waiting_calls_by_time ON waiting_calls (since DESC, call_id DESC);
   CREATE TABLE triggered (
     id TEXT PRIMARY KEY NOT NULL,
     reply_id TEXT NOT NULL UNIQUE,
     at TEXT NOT NULL,
     spent_micros INTEGER NOT NULL,
     is_settled INTEGER NOT NULL,
     budget_micros INTEGER
   ) WITHOUT ROWID;
   CREATE TABLE notices (
     chat_id TEXT PRIMARY KEY NOT NULL,
     id TEXT,
     kind TEXT,
     what TEXT,
     at INTEGER,
     claimed_at INTEGER,
     last_event TEXT,
     sent_at INTEGER
   ) WITHOUT ROWID;
   CREATE TABLE memories (
     id TEXT PRIMARY KEY NOT NULL,
     seq INTEGER NOT NULL UNIQUE,
     text TEXT NOT NULL,
     origin TEXT NOT NULL,
     chat_id TEXT,
     message_id TEXT,
     created_at TEXT NOT NULL,
     since TEXT NOT NULL,
     used_at TEXT,
     ended TEXT,
     ended_at TEXT,
     replaced_by TEXT,
     is_untrusted INTEGER NOT NULL DEFAULT 0
   ) WITHOUT ROWID;
   CREATE INDEX memories_replaced ON memories (replaced_by) WHERE replaced_by IS NOT NULL;
   CREATE TABLE memory_versions (
     memory_id TEXT NOT NULL,
     at TEXT NOT NULL,
     text TEXT NOT NULL,
     PRIMARY KEY (memory_id, at)
   ) WITHOUT ROWID;
   CREATE TABLE memory_imports (
     id TEXT PRIMARY KEY NOT NULL,
     at TEXT NOT NULL,
     total INTEGER NOT NULL,
     added INTEGER NOT NULL,
     duplicate INTEGER NOT NULL,
     failed INTEGER NOT NULL,
     entries TEXT,
     is_from_file INTEGER NOT NULL DEFAULT 0
   ) WITHOUT ROWID;
   CREATE TABLE done_jobs (
     id TEXT PRIMARY KEY NOT NULL,
     job TEXT NOT NULL,
     at INTEGER NOT NULL,
     batch TEXT,
     claimed_at INTEGER,
     settled_at INTEGER
   ) WITHOUT ROWID;
   CREATE TABLE waiting_mails (
     mail_id TEXT PRIMARY KEY NOT NULL,
     chat_id TEXT NOT NULL,
     since TEXT NOT NULL,
     mail TEXT NOT NULL
   ) WITHOUT ROWID;
   CREATE INDEX waiting_mails_by_chat ON waiting_mails (chat_id);
   CREATE TABLE decided_calls (
     call_id TEXT PRIMARY KEY NOT NULL,
     chat_id TEXT NOT NULL,
     reply_id TEXT NOT NULL,
     at TEXT NOT NULL,
     call TEXT NOT NULL
   ) WITHOUT ROWID;
   CREATE INDEX decided_calls_by_time ON decided_calls (at DESC, call_id DESC);
   CREATE TABLE memory_vectors (
     memory_id TEXT PRIMARY KEY NOT NULL,
     model TEXT NOT NULL,
     vector BLOB NOT NULL
   ) WITHOUT ROWID;
   CREATE TABLE key_turns (
     reply_id TEXT PRIMARY KEY NOT NULL,
     key_id TEXT NOT NULL,
     at TEXT NOT NULL,
     spent_micros INTEGER NOT NULL,
     is_settled INTEGER NOT NULL,
     budget_micros INTEGER
   ) WITHOUT ROWID;
   CREATE TABLE schedules (
     id TEXT PRIMARY KEY NOT NULL,
     body TEXT NOT NULL,
     anchor INTEGER NOT NULL,
     state TEXT NOT NULL,
     note TEXT,
     next_at INTEGER,
     deferred_until INTEGER,
     failures INTEGER NOT NULL,
     chat_id TEXT,
     page TEXT NOT NULL,
     created_at TEXT NOT NULL,
     updated_at TEXT NOT NULL,
     prompt_text TEXT
   ) WITHOUT ROWID;
   CREATE TABLE schedule_runs (
     id TEXT PRIMARY KEY NOT NULL,
     schedule_id TEXT NOT NULL,
     due_at INTEGER NOT NULL,
     started_at INTEGER,
     ended_at INTEGER,
     state TEXT NOT NULL,
     chat_id TEXT,
     reply_id TEXT,
     step INTEGER NOT NULL,
     steps TEXT,
     difference TEXT,
     page_text TEXT,
     cost_micros INTEGER,
     note TEXT,
     failing_since INTEGER
   ) WITHOUT ROWID;
   CREATE INDEX schedule_runs_by_time ON schedule_runs (schedule_id, due_at DESC, id DESC);
   CREATE INDEX schedule_runs_by_reply ON schedule_runs (reply_id) WHERE ended_at IS NULL;
   CREATE TABLE folders (
     id TEXT PRIMARY KEY NOT NULL,
     name TEXT NOT NULL,
     parent_id TEXT,
     workspace TEXT NOT NULL,
     position REAL NOT NULL,
     created_at TEXT NOT NULL
   ) WITHOUT ROWID;
   CREATE INDEX folders_by_parent ON folders (parent_id);
   CREATE TABLE tags (
     id TEXT PRIMARY KEY NOT NULL,
     name TEXT NOT NULL,
     folded TEXT NOT NULL UNIQUE,
     hue INTEGER NOT NULL,
     created_at TEXT NOT NULL
   ) WITHOUT ROWID;
   CREATE TABLE begun_in (
     chat_id TEXT PRIMARY KEY NOT NULL,
     folder_id TEXT,
     tags TEXT NOT NULL,
     at INTEGER NOT NULL
   ) WITHOUT ROWID;
   CREATE TABLE folder_undo (
     token TEXT NOT NULL,
     part INTEGER NOT NULL,
     body TEXT NOT NULL,
     at INTEGER NOT NULL,
     PRIMARY KEY (token, part)
   ) WITHOUT ROWID;
   CREATE TABLE pushes (
     key TEXT PRIMARY KEY NOT NULL,
     id TEXT NOT NULL,
     kind TEXT NOT NULL,
     what TEXT NOT NULL,
     at INTEGER NOT NULL,
     job TEXT,
     push_text TEXT,
     delivered TEXT NOT NULL
   ) WITHOUT ROWID;
   CREATE TABLE leases (
     session_id TEXT PRIMARY KEY NOT NULL,
     digest TEXT NOT NULL,
     until INTEGER NOT NULL
   ) WITHOUT ROWID;
   INSERT INTO hub (cursor) VALUES (0);`,
];

/** Brings the hub's tables up to date. */
export function migrate(storage: DurableObjectStorage): void {
  migrateObject(storage, MIGRATIONS);
}
