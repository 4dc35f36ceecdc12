import { migrateObject } from "#worker/platform/migrate-object.ts";
import { SCHEMA } from "./schema.ts";

/**
 * The room's own tables, forward only: each entry runs once, in order, and is never edited after it has landed.
 * No table is made before its chat, so asking for a chat that doesn't exist stores nothing.
 */
export const MIGRATIONS = [
  `CREATE TABLE chat (
     id TEXT PRIMARY KEY NOT NULL,
     owner_id TEXT NOT NULL,
     title TEXT NOT NULL,
     title_source TEXT NOT NULL,
     model_id TEXT,
     head_id TEXT,
     cost_micros INTEGER NOT NULL DEFAULT 0,
     version INTEGER NOT NULL DEFAULT 0,
     created_at TEXT NOT NULL,
     last_at TEXT NOT NULL,
     last_preview TEXT NOT NULL DEFAULT '',
     last_sender_id TEXT,
     last_sender_name TEXT
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
     created_at TEXT NOT NULL
   );
   CREATE INDEX messages_by_parent ON messages (parent_id);
   CREATE TABLE readers (user_id TEXT PRIMARY KEY NOT NULL, leaf_id TEXT NOT NULL) WITHOUT ROWID;
   CREATE TABLE turns (
     reply_id TEXT PRIMARY KEY NOT NULL,
     generation INTEGER NOT NULL,
     attempts INTEGER NOT NULL,
     request TEXT NOT NULL
   ) WITHOUT ROWID;
   CREATE TABLE outbox (target TEXT PRIMARY KEY NOT NULL, version INTEGER NOT NULL) WITHOUT ROWID;`,
  `CREATE TABLE charges (
     call_id TEXT PRIMARY KEY NOT NULL,
     payer_id TEXT NOT NULL,
     reply_id TEXT NOT NULL,
     what TEXT NOT NULL,
     model_id TEXT NOT NULL,
     amount_micros INTEGER,
     estimate_micros INTEGER NOT NULL,
     generation_id TEXT,
     is_house INTEGER NOT NULL
   ) WITHOUT ROWID;`,
  `CREATE TABLE checkpoints (
     reply_id TEXT NOT NULL,
     part INTEGER NOT NULL,
     body TEXT NOT NULL,
     PRIMARY KEY (reply_id, part)
   ) WITHOUT ROWID;
   ALTER TABLE chat ADD COLUMN turn TEXT;
   UPDATE chat SET turn = (
     SELECT json_object('replyId', reply_id, 'generation', generation, 'attempts', attempts, 'request', json(request)) FROM turns LIMIT 1
   );
   DROP TABLE turns;`,
  `CREATE TABLE todos (
     id TEXT PRIMARY KEY NOT NULL,
     text TEXT NOT NULL,
     status TEXT NOT NULL,
     order_index REAL NOT NULL,
     created_at TEXT NOT NULL
   ) WITHOUT ROWID;`,
  `ALTER TABLE chat ADD COLUMN tool_categories TEXT;
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
     PRIMARY KEY (reply_id, round, position)
   ) WITHOUT ROWID;`,
  `CREATE TABLE attachments (
     id TEXT PRIMARY KEY NOT NULL,
     uploader_id TEXT NOT NULL,
     object_id TEXT NOT NULL,
     name TEXT NOT NULL,
     type TEXT NOT NULL,
     size INTEGER NOT NULL,
     kind TEXT NOT NULL,
     characters INTEGER NOT NULL,
     is_whole INTEGER NOT NULL,
     unread TEXT,
     is_used INTEGER NOT NULL DEFAULT 0
   ) WITHOUT ROWID;
   ALTER TABLE messages ADD COLUMN attachments TEXT;`,
  `CREATE TABLE queue (
     id TEXT PRIMARY KEY NOT NULL,
     position REAL NOT NULL,
     request_id TEXT NOT NULL,
     request_hash TEXT NOT NULL,
     is_waiting INTEGER NOT NULL DEFAULT 1,
     author_id TEXT NOT NULL,
     author_name TEXT NOT NULL,
     ip TEXT,
     content TEXT NOT NULL,
     model_id TEXT,
     tool_categories TEXT,
     attachments TEXT,
     step INTEGER,
     steps INTEGER,
     created_at TEXT NOT NULL
   ) WITHOUT ROWID;
   ALTER TABLE chat ADD COLUMN queue_state TEXT;`,
  `ALTER TABLE chat ADD COLUMN forked_from TEXT;`,
  `CREATE TABLE compactions (
     question_id TEXT PRIMARY KEY NOT NULL,
     last_id TEXT NOT NULL,
     status TEXT NOT NULL,
     messages INTEGER NOT NULL,
     summary TEXT
   ) WITHOUT ROWID;`,
  `ALTER TABLE chat ADD COLUMN activity_seq INTEGER NOT NULL DEFAULT 0;
   ALTER TABLE chat ADD COLUMN activity_by TEXT;`,
  `CREATE TABLE call_steps (
     call_id TEXT NOT NULL,
     step TEXT NOT NULL,
     result TEXT NOT NULL,
     PRIMARY KEY (call_id, step)
   ) WITHOUT ROWID;`,
  `CREATE TABLE members (
     user_id TEXT NOT NULL,
     via TEXT NOT NULL,
     name TEXT NOT NULL,
     level TEXT NOT NULL,
     shared_by_id TEXT NOT NULL,
     shared_by_name TEXT NOT NULL,
     PRIMARY KEY (user_id, via)
   ) WITHOUT ROWID;
   CREATE INDEX members_by_sharer ON members (shared_by_id);
   ALTER TABLE chat ADD COLUMN is_access_pending INTEGER NOT NULL DEFAULT 0;
   ALTER TABLE chat ADD COLUMN is_public INTEGER NOT NULL DEFAULT 0;
   ALTER TABLE chat ADD COLUMN published TEXT;
   ALTER TABLE chat ADD COLUMN main_id TEXT;`,
  `ALTER TABLE messages ADD COLUMN autopilot TEXT;`,
  `ALTER TABLE messages ADD COLUMN worked_ms INTEGER;`,
  `ALTER TABLE chat ADD COLUMN settings TEXT;
   UPDATE chat SET settings = json_object('model_id', model_id, 'tool_categories', json(COALESCE(tool_categories, '[]')));
   ALTER TABLE chat DROP COLUMN model_id;
   ALTER TABLE chat DROP COLUMN tool_categories;
   ALTER TABLE queue ADD COLUMN settings TEXT;
   ALTER TABLE queue ADD COLUMN settings_once TEXT;
   UPDATE queue SET settings = json_patch('{}', json_object('model_id', model_id, 'tool_categories', json(tool_categories)))
     WHERE is_waiting = 1;
   ALTER TABLE queue DROP COLUMN model_id;
   ALTER TABLE queue DROP COLUMN tool_categories;`,
  `ALTER TABLE tool_calls ADD COLUMN prompt_tokens INTEGER NOT NULL DEFAULT 0;
   ALTER TABLE tool_calls ADD COLUMN completion_tokens INTEGER NOT NULL DEFAULT 0;
   ALTER TABLE tool_calls ADD COLUMN reasoning_tokens INTEGER NOT NULL DEFAULT 0;`,
  `ALTER TABLE chat ADD COLUMN stored_seq INTEGER NOT NULL DEFAULT 0;
   ALTER TABLE chat ADD COLUMN stored_told INTEGER NOT NULL DEFAULT 0;
   UPDATE chat SET stored_seq = 1 WHERE EXISTS (SELECT 1 FROM attachments);`,
  `ALTER TABLE messages ADD COLUMN persona TEXT;`,
  `ALTER TABLE chat ADD COLUMN team_ids TEXT NOT NULL DEFAULT '[]';`,
  `CREATE TABLE mails (
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
     created_at TEXT NOT NULL
   );
   CREATE INDEX mails_by_message_id ON mails (message_id) WHERE message_id IS NOT NULL;
   CREATE INDEX mails_by_turn ON mails (turn_id) WHERE turn_id IS NOT NULL;
   CREATE TABLE mail_senders (
     address TEXT PRIMARY KEY NOT NULL,
     rule TEXT NOT NULL,
     decided_by TEXT NOT NULL,
     created_at TEXT NOT NULL
   ) WITHOUT ROWID;
   ALTER TABLE queue ADD COLUMN mail_id TEXT;
   ALTER TABLE messages ADD COLUMN mail TEXT;`,
  // Which ways lead through a team the database knows: the list is read again.
  `ALTER TABLE members ADD COLUMN team_id TEXT;
   UPDATE chat SET is_access_pending = 1 WHERE EXISTS (SELECT 1 FROM members);`,
  `ALTER TABLE chat ADD COLUMN team_id TEXT;
   ALTER TABLE charges ADD COLUMN tokens INTEGER NOT NULL DEFAULT 0;`,
  `CREATE TABLE outgoing_mails (
     mail_id TEXT PRIMARY KEY NOT NULL,
     answers_id TEXT UNIQUE,
     queued_at INTEGER NOT NULL,
     first_tried_at INTEGER,
     is_claimed INTEGER NOT NULL DEFAULT 0,
     tries INTEGER NOT NULL DEFAULT 0,
     provider_id TEXT
   ) WITHOUT ROWID;
   CREATE INDEX mails_by_reply ON mails (reply_id) WHERE direction = 'out';
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
   ) WITHOUT ROWID;`,
  `CREATE TABLE approval_mails (
     call_id TEXT PRIMARY KEY NOT NULL,
     token TEXT NOT NULL UNIQUE,
     user_id TEXT NOT NULL,
     answer TEXT
   ) WITHOUT ROWID;`,
  `ALTER TABLE chat ADD COLUMN last_model_id TEXT;`,
  `ALTER TABLE chat ADD COLUMN owner_name TEXT;`,
  `ALTER TABLE messages ADD COLUMN memory TEXT;`,
  `CREATE INDEX mails_quarantined ON mails (seq, created_at) WHERE state = 'quarantined';`,
  `ALTER TABLE messages ADD COLUMN knowledge TEXT;`,
  `CREATE TABLE runs (
     seq INTEGER PRIMARY KEY AUTOINCREMENT,
     call_id TEXT UNIQUE NOT NULL,
     user_id TEXT NOT NULL,
     state TEXT NOT NULL,
     ref TEXT,
     turn_id TEXT NOT NULL,
     is_told INTEGER NOT NULL DEFAULT 0,
     is_stopping INTEGER NOT NULL DEFAULT 0,
     run TEXT NOT NULL
   );`,
  // The schedule that sent a message.
  `ALTER TABLE messages ADD COLUMN schedule TEXT;`,
  // What came in by the messaging app, and what goes out by it.
  `ALTER TABLE queue ADD COLUMN messaging TEXT;
   ALTER TABLE messages ADD COLUMN messaging TEXT;
   CREATE TABLE messaging_in (
     id TEXT PRIMARY KEY NOT NULL,
     message_id TEXT NOT NULL UNIQUE,
     user_id TEXT NOT NULL,
     state TEXT NOT NULL,
     item TEXT,
     taken_at INTEGER NOT NULL,
     is_late_told INTEGER NOT NULL DEFAULT 0
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
  // What it was founded with came from a file that anyone may have written.
  `ALTER TABLE chat ADD COLUMN is_foreign INTEGER NOT NULL DEFAULT 0;`,
  // Where no persona was stored and answers were written here, they were written without one: as the personalized one, which goes by its person's id.
  `UPDATE chat SET settings = json_set(coalesce(settings, '{}'), '$.persona_id', owner_id)
   WHERE settings ->> 'persona_id' IS NULL AND EXISTS (SELECT 1 FROM messages WHERE role = 'assistant' AND reply_id IS NOT NULL);`,
  // For whom a text is no untrusted one. Of what was written before, a question is its author's, and an answer that cites nothing and
  // called nothing that reads outside is as its question; the list is trusted where all of the chat is.
  `ALTER TABLE messages ADD COLUMN trusted_for TEXT;
   ALTER TABLE todos ADD COLUMN trusted_for TEXT;
   UPDATE messages SET trusted_for = author_id
     WHERE role = 'user' AND mail IS NULL AND schedule IS NULL
       AND NOT EXISTS (SELECT 1 FROM chat WHERE is_foreign = 1);
   UPDATE messages SET trusted_for = (SELECT question.trusted_for FROM messages question WHERE question.id = messages.parent_id)
     WHERE role = 'assistant' AND citations IS NULL AND NOT EXISTS (
       SELECT 1 FROM tool_calls WHERE reply_id = messages.id AND status IN ('done', 'failed') AND tool NOT IN (
         'viewTodoList', 'addTodoItem', 'updateTodoItem', 'deleteTodoItem', 'saveMemory', 'forgetMemory', 'sendEmail',
         'remindIfUnanswered', 'gmailDraft', 'gmailSend', 'createSchedule', 'listSchedules', 'cancelSchedule', 'createArtifact',
         'truthSeekDraft'
       )
     );
   UPDATE todos SET trusted_for = (SELECT owner_id FROM chat)
     WHERE NOT EXISTS (SELECT 1 FROM messages WHERE trusted_for IS NOT (SELECT owner_id FROM chat));`,
  // Whose own an answer to a mail may use. What calls say of artifacts is now for whoever they were made for: for the author of the question, so far as there is one.
  `ALTER TABLE mails ADD COLUMN with_data_of TEXT;
   ALTER TABLE outgoing_mails ADD COLUMN is_held INTEGER NOT NULL DEFAULT 0;
   CREATE INDEX outgoing_mails_held ON outgoing_mails (queued_at) WHERE is_held = 1;
   UPDATE tool_calls SET approval = (
     SELECT json_object('user', json_object('id', COALESCE(q.author_id, chat.owner_id), 'display_name', COALESCE(q.author_name, '')), 'decision', 'always')
     FROM chat, messages r LEFT JOIN messages q ON q.id = r.parent_id WHERE r.id = tool_calls.reply_id)
   WHERE approval IS NULL
     AND tool IN ('listArtifacts', 'readArtifact', 'createArtifact', 'copyArtifact', 'editArtifact', 'searchArtifacts');`,
  "ALTER TABLE attachments ADD COLUMN pages INTEGER;",
  `ALTER TABLE outgoing_mails ADD COLUMN shares_answer_to TEXT;`,
  // Whose turn wrote an answer, and whether with what is theirs alone: of those of before it counts as written so. What their calls say of
  // accounts is for whoever they were made for, and of what came from a file for whoever brought it; nobody was asked about most.
  `ALTER TABLE messages ADD COLUMN payer_id TEXT;
   ALTER TABLE messages ADD COLUMN used_own INTEGER NOT NULL DEFAULT 0;
   UPDATE messages SET used_own = 1, payer_id = CASE
       WHEN reply_id IS NULL AND EXISTS (SELECT 1 FROM chat WHERE is_foreign = 1) THEN (SELECT owner_id FROM chat)
       ELSE COALESCE(
         (SELECT json_extract(approval, '$.user.id') FROM tool_calls WHERE reply_id = messages.id AND approval IS NOT NULL ORDER BY round DESC LIMIT 1),
         json_extract(memory, '$.by'), json_extract(knowledge, '$.by'), trusted_for,
         (SELECT question.author_id FROM messages question WHERE question.id = messages.parent_id), (SELECT owner_id FROM chat)
       ) END
     WHERE role = 'assistant';
   UPDATE tool_calls SET approval = json_set(approval, '$.decision', NULL)
     WHERE json_extract(approval, '$.decision') = 'always' AND json_extract(approval, '$.since') IS NULL AND tool IN (
       'listArtifacts', 'readArtifact', 'createArtifact', 'copyArtifact', 'editArtifact', 'searchArtifacts', 'searchKnowledge',
       'searchIndexedFiles', 'gmailSearch', 'gmailRead', 'gmailDraft');
   UPDATE tool_calls SET approval = json_set(COALESCE(approval, '{"decision":null}'), '$.user', (
       SELECT json_object('id', r.payer_id, 'display_name', COALESCE(q.author_name, ''))
       FROM messages r LEFT JOIN messages q ON q.id = r.parent_id WHERE r.id = tool_calls.reply_id))
     WHERE (approval IS NULL OR EXISTS (SELECT 1 FROM chat JOIN messages r ON r.id = tool_calls.reply_id WHERE is_foreign = 1 AND r.reply_id IS NULL))
       AND EXISTS (SELECT 1 FROM messages r WHERE r.id = tool_calls.reply_id)
       AND tool NOT IN (
         'parallelWebSearch', 'exaCrawl', 'exaImageSearch', 'viewTodoList', 'addTodoItem', 'updateTodoItem', 'deleteTodoItem', 'listEmails',
         'sendEmail', 'remindIfUnanswered', 'blandCall', 'multiModelSynthesis', 'truthSeekDraft', 'truthSeekCritique', 'truthSeekRefine',
         'researchPlan', 'researchQuestion', 'researchGaps');`,
  // What tools brought is in no message.
  `ALTER TABLE attachments ADD COLUMN is_own INTEGER NOT NULL DEFAULT 0;
   UPDATE attachments SET is_own = 1 WHERE is_used = 1 AND id NOT IN (
     SELECT json_extract(file.value, '$.id') FROM messages, json_each(messages.attachments) AS file WHERE messages.attachments IS NOT NULL);`,
];

/** Storages whose tables are there and up to date, which is asked a dozen times a turn. */
const upToDate = new WeakSet<SqlStorage>();

/** True once a chat was founded here; reads only the catalogue's start, as that table is the first, so it is free on an empty object. */
export function isCreated(sql: SqlStorage): boolean {
  return upToDate.has(sql) || sql.exec("SELECT 1 FROM sqlite_master WHERE name = 'schema_version' LIMIT 1").toArray().length > 0;
}

/** Brings the room's tables up to date. */
export function migrate(storage: DurableObjectStorage): void {
  migrateObject(storage, MIGRATIONS, SCHEMA);
  upToDate.add(storage.sql);
}

/** Drops the tables and all else that the room stores. */
export function dropAll(storage: DurableObjectStorage): Promise<void> {
  upToDate.delete(storage.sql);
  return storage.deleteAll();
}
