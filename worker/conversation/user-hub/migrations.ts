import { migrateObject } from "#worker/platform/migrate-object.ts";
import { SCHEMA } from "./schema.ts";

/**
 * The hub's own tables, forward only: each entry runs once, in order, and is never edited after it has landed.
 * `changed` is the hub's cursor at a row's last change: a tab that was away asks for all rows above the one it has.
 * `place` is where a chat stands in the list (chat-views.ts): one index serves every view, and a report writes no more for it.
 */
export const MIGRATIONS = [
  `CREATE TABLE hub (cursor INTEGER NOT NULL);
   INSERT INTO hub (cursor) VALUES (0);
   CREATE TABLE chats (
     id TEXT PRIMARY KEY NOT NULL,
     version INTEGER NOT NULL,
     changed INTEGER NOT NULL,
     row TEXT NOT NULL,
     last_at TEXT NOT NULL,
     is_read INTEGER NOT NULL DEFAULT 1,
     is_pinned INTEGER NOT NULL DEFAULT 0,
     archived INTEGER NOT NULL DEFAULT 0,
     deleted INTEGER NOT NULL DEFAULT 0
   ) WITHOUT ROWID;
   CREATE INDEX chats_by_time ON chats (last_at DESC, id DESC) WHERE deleted = 0 AND archived = 0;
   CREATE INDEX chats_by_change ON chats (changed);`,
  `CREATE TABLE ledger (
     seq INTEGER PRIMARY KEY,
     call_id TEXT NOT NULL UNIQUE,
     at TEXT NOT NULL,
     what TEXT NOT NULL,
     chat_id TEXT,
     message_id TEXT,
     model_id TEXT,
     amount_micros INTEGER NOT NULL,
     is_house INTEGER NOT NULL DEFAULT 0,
     balance_micros INTEGER NOT NULL
   );
   CREATE TABLE reservations (reply_id TEXT PRIMARY KEY NOT NULL, amount_micros INTEGER NOT NULL, at INTEGER NOT NULL) WITHOUT ROWID;`,
  `ALTER TABLE hub ADD COLUMN turns_at TEXT NOT NULL DEFAULT '[]';
   CREATE TABLE answers (
     key TEXT PRIMARY KEY NOT NULL,
     hash TEXT NOT NULL,
     at INTEGER NOT NULL,
     body TEXT
   ) WITHOUT ROWID;`,
  `CREATE INDEX chats_unread ON chats (id) WHERE deleted = 0 AND archived = 0 AND is_read = 0;`,
  `ALTER TABLE chats ADD COLUMN activity INTEGER NOT NULL DEFAULT 0;
   ALTER TABLE chats ADD COLUMN by_hand INTEGER NOT NULL DEFAULT 0;
   ALTER TABLE chats ADD COLUMN is_shared INTEGER AS (
     CASE WHEN row = '' THEN 0 ELSE json_extract(row, '$.isShared') OR json_extract(row, '$.hasBeenShared') END
   ) VIRTUAL;
   ALTER TABLE chats ADD COLUMN place INTEGER AS (
     CASE WHEN deleted <> 0 THEN NULL WHEN archived = 1 THEN 3 WHEN is_read = 0 THEN 0 WHEN is_pinned = 1 THEN 1 ELSE 2 END
   ) VIRTUAL;
   DROP INDEX chats_by_time;
   DROP INDEX chats_unread;
   CREATE INDEX chats_by_place ON chats (place, last_at DESC, id DESC);
   CREATE TABLE undo (
     token TEXT NOT NULL,
     part INTEGER NOT NULL,
     action TEXT NOT NULL,
     ids TEXT NOT NULL,
     at INTEGER NOT NULL,
     PRIMARY KEY (token, part)
   ) WITHOUT ROWID;
   CREATE TABLE deletions (id TEXT PRIMARY KEY NOT NULL, total INTEGER NOT NULL, failed INTEGER NOT NULL, at INTEGER NOT NULL) WITHOUT ROWID;
   CREATE TABLE doomed (
     chat_id TEXT PRIMARY KEY NOT NULL,
     deletion_id TEXT NOT NULL,
     tries INTEGER NOT NULL DEFAULT 0
   ) WITHOUT ROWID;`,
  `CREATE TABLE holds (
     reply_id TEXT NOT NULL,
     generation INTEGER NOT NULL,
     amount_micros INTEGER NOT NULL,
     at INTEGER NOT NULL,
     PRIMARY KEY (reply_id, generation)
   ) WITHOUT ROWID;
   INSERT INTO holds (reply_id, generation, amount_micros, at) SELECT reply_id, 0, amount_micros, at FROM reservations;
   DROP TABLE reservations;
   ALTER TABLE holds RENAME TO reservations;`,
  `CREATE TABLE stored (chat_id TEXT PRIMARY KEY NOT NULL, bytes INTEGER NOT NULL, seq INTEGER NOT NULL) WITHOUT ROWID;
   CREATE TABLE storage_holds (id TEXT PRIMARY KEY NOT NULL, bytes INTEGER NOT NULL, at INTEGER NOT NULL) WITHOUT ROWID;`,
  `ALTER TABLE reservations ADD COLUMN chat_id TEXT;
   CREATE TABLE streams (reply_id TEXT PRIMARY KEY NOT NULL, chat_id TEXT NOT NULL, open INTEGER NOT NULL) WITHOUT ROWID;`,
  // The teams stand in the index, so a workspace's page reads no row of another's.
  `ALTER TABLE chats ADD COLUMN teams TEXT AS (
     CASE WHEN row = '' THEN '[]' ELSE COALESCE(json_extract(row, '$.teams'), '[]') END
   ) VIRTUAL;
   DROP INDEX chats_by_place;
   CREATE INDEX chats_by_place ON chats (place, last_at DESC, id DESC, teams);`,
  // What was spent in each team in the month of an entry stands beside the balance, so a budget is checked with one row.
  `ALTER TABLE ledger ADD COLUMN team_id TEXT;
   ALTER TABLE ledger ADD COLUMN tokens INTEGER NOT NULL DEFAULT 0;
   ALTER TABLE ledger ADD COLUMN team_spent TEXT;
   ALTER TABLE reservations ADD COLUMN team_id TEXT;
   ALTER TABLE hub ADD COLUMN reported_seq INTEGER NOT NULL DEFAULT 0;
   CREATE TABLE team_budgets (
     team_id TEXT PRIMARY KEY NOT NULL,
     name TEXT NOT NULL,
     amount_micros INTEGER,
     at INTEGER NOT NULL
   ) WITHOUT ROWID;`,
  `CREATE TABLE waiting_calls (
     call_id TEXT PRIMARY KEY NOT NULL,
     chat_id TEXT NOT NULL,
     reply_id TEXT NOT NULL,
     since TEXT NOT NULL,
     call TEXT NOT NULL
   ) WITHOUT ROWID;
   CREATE INDEX waiting_calls_by_chat ON waiting_calls (chat_id);
   CREATE INDEX waiting_calls_by_time ON waiting_calls (since DESC, call_id DESC);`,
  `CREATE TABLE triggered (
     id TEXT PRIMARY KEY NOT NULL,
     reply_id TEXT NOT NULL UNIQUE,
     at TEXT NOT NULL,
     spent_micros INTEGER NOT NULL,
     is_settled INTEGER NOT NULL
   ) WITHOUT ROWID;`,
  `CREATE TABLE notices (
     chat_id TEXT PRIMARY KEY NOT NULL,
     id TEXT,
     kind TEXT,
     what TEXT,
     at INTEGER,
     claimed_at INTEGER,
     told TEXT,
     sent_at INTEGER
   ) WITHOUT ROWID;
   ALTER TABLE hub ADD COLUMN origin TEXT;`,
  // What was last sent stands in the hub's own row, which each turn writes anyway: no fact's row is written when it is used.
  `CREATE TABLE memories (
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
     replaced_by TEXT
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
     entries TEXT
   ) WITHOUT ROWID;
   ALTER TABLE hub ADD COLUMN memory_used_at TEXT;`,
  `CREATE TABLE done_jobs (
     id TEXT PRIMARY KEY NOT NULL,
     job TEXT NOT NULL,
     at INTEGER NOT NULL,
     batch TEXT,
     claimed_at INTEGER,
     settled_at INTEGER
   ) WITHOUT ROWID;`,
  `CREATE TABLE waiting_mails (
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
   CREATE INDEX decided_calls_by_time ON decided_calls (at DESC, call_id DESC);`,
  // When the personalization was last made from memory, and the hashes of what was made so.
  `ALTER TABLE hub ADD COLUMN memory_upkept_at INTEGER;
   ALTER TABLE hub ADD COLUMN memory_written TEXT;`,
  // Facts' embeddings with the model that made them; whether making them waits for credit stands in the hub's own row.
  `CREATE TABLE memory_vectors (memory_id TEXT PRIMARY KEY NOT NULL, model TEXT NOT NULL, vector BLOB NOT NULL) WITHOUT ROWID;
   ALTER TABLE hub ADD COLUMN memory_waits_for_credit INTEGER NOT NULL DEFAULT 0;`,
  `CREATE TABLE key_turns (
     reply_id TEXT PRIMARY KEY NOT NULL,
     key_id TEXT NOT NULL,
     at TEXT NOT NULL,
     spent_micros INTEGER NOT NULL,
     is_settled INTEGER NOT NULL
   ) WITHOUT ROWID;`,
  `ALTER TABLE key_turns ADD COLUMN budget_micros INTEGER;`,
  `CREATE TABLE schedules (
     id TEXT PRIMARY KEY NOT NULL,
     body TEXT NOT NULL,
     anchor INTEGER NOT NULL,
     state TEXT NOT NULL,
     note TEXT,
     next_at INTEGER,
     held_until INTEGER,
     failures INTEGER NOT NULL,
     chat_id TEXT,
     page TEXT NOT NULL,
     created_at TEXT NOT NULL,
     updated_at TEXT NOT NULL
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
     note TEXT
   ) WITHOUT ROWID;
   CREATE INDEX schedule_runs_by_time ON schedule_runs (schedule_id, due_at DESC, id DESC);
   CREATE INDEX schedule_runs_by_reply ON schedule_runs (reply_id) WHERE ended_at IS NULL;`,
  `ALTER TABLE schedule_runs ADD COLUMN failing_since INTEGER;
   UPDATE schedule_runs SET steps = NULL, difference = NULL WHERE ended_at IS NOT NULL;`,
  // A chat's folder and tags stand in its row and in the list's index: a page of a folder reads no other chat's row, and a report writes no more.
  `CREATE TABLE folders (
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
   CREATE TABLE begun_in (chat_id TEXT PRIMARY KEY NOT NULL, folder_id TEXT, tags TEXT NOT NULL, at INTEGER NOT NULL) WITHOUT ROWID;
   CREATE TABLE folder_undo (
     token TEXT NOT NULL,
     part INTEGER NOT NULL,
     body TEXT NOT NULL,
     at INTEGER NOT NULL,
     PRIMARY KEY (token, part)
   ) WITHOUT ROWID;
   ALTER TABLE chats ADD COLUMN folder_id TEXT;
   ALTER TABLE chats ADD COLUMN tags TEXT NOT NULL DEFAULT '[]';
   DROP INDEX chats_by_place;
   CREATE INDEX chats_by_place ON chats (place, last_at DESC, id DESC, teams, folder_id, tags);`,
  `CREATE TABLE pushes (
     key TEXT PRIMARY KEY NOT NULL,
     id TEXT NOT NULL,
     kind TEXT NOT NULL,
     what TEXT NOT NULL,
     at INTEGER NOT NULL,
     job TEXT,
     words TEXT,
     delivered TEXT NOT NULL
   ) WITHOUT ROWID;`,
  "ALTER TABLE memory_imports ADD COLUMN is_from_file INTEGER NOT NULL DEFAULT 0;",
  // A fact that others may have written, until its person makes it their own.
  `ALTER TABLE memories ADD COLUMN is_untrusted INTEGER NOT NULL DEFAULT 0;
   UPDATE memories SET is_untrusted = 1
     WHERE origin = 'file' AND NOT EXISTS (SELECT 1 FROM memory_versions WHERE memory_versions.memory_id = memories.id);`,
  "ALTER TABLE triggered ADD COLUMN budget_micros INTEGER;",
  "ALTER TABLE reservations ADD COLUMN caused_by TEXT;",
  "ALTER TABLE schedules ADD COLUMN prompt_text TEXT;",
  "CREATE TABLE leases (session_id TEXT PRIMARY KEY NOT NULL, digest TEXT NOT NULL, until INTEGER NOT NULL) WITHOUT ROWID;",
];

/** Brings the hub's tables up to date. */
export function migrate(storage: DurableObjectStorage): void {
  migrateObject(storage, MIGRATIONS, SCHEMA);
}
