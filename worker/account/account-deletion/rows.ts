/**
 * What belongs to a person in the relational database, as statements: ?1 is the person, ?2 who stands in their place where a row is
 * somebody else's too. Tables with a foreign key to `users` that are named nowhere here go with the person's row. A table that is new
 * either has that key or stands here: test/worker/account-deletion.test.ts looks through all of them.
 */
import { DELETED_USER } from "#shared/deleted-user.ts";
import type { Database } from "#worker/platform/db/client.ts";
import { BATCH_ROWS } from "#worker/platform/db/delete-batch.ts";

/** The person's addresses while they are theirs: once the account is nameless they may be somebody else's. */
const ADDRESSES = `(SELECT a.value FROM account_deletions d JOIN users u ON u.id = d.user_id AND u.email IS NOT NULL, json_each(d.addresses) a
  WHERE d.user_id = ?1)`;

/** Where an account's name, addresses and ways in are; done at once, with its last statement as the point from which it is nameless. */
const AT_ONCE = [
  `INSERT INTO users (id, display_name, blocked_at, created_at, last_seen_at)
     VALUES (?2, '${DELETED_USER.name}', '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z')
     ON CONFLICT DO NOTHING`,
  `DELETE FROM sign_in_codes WHERE email IN ${ADDRESSES}`,
  `DELETE FROM mail_suppressions WHERE address IN ${ADDRESSES}`,
  `DELETE FROM chat_shares WHERE user_id = ?1 OR (user_id IS NULL AND email IN ${ADDRESSES})`,
  `DELETE FROM artifact_shares WHERE user_id = ?1 OR email IN ${ADDRESSES}`,
  `DELETE FROM team_invitations WHERE email IN ${ADDRESSES}`,
  `UPDATE invites SET sent_to = NULL WHERE sent_to IS NOT NULL AND lower(sent_to) IN ${ADDRESSES}`,
  `UPDATE audit_log SET actor_name = '${DELETED_USER.name}', actor_email = NULL WHERE actor_id = ?1`,
  `UPDATE audit_log SET subject_name = '${DELETED_USER.name}', subject_email = NULL
     WHERE seq IN (SELECT seq FROM audit_log WHERE subject_id = ?1 UNION SELECT seq FROM audit_log WHERE subject_email IN ${ADDRESSES}
       UNION SELECT seq FROM audit_log WHERE subject_name IN ${ADDRESSES})`,
  "UPDATE chat_shares SET shared_by = ?2 WHERE shared_by = ?1",
  "UPDATE chat_team_shares SET shared_by = ?2 WHERE shared_by = ?1",
  "UPDATE artifact_shares SET shared_by = ?2 WHERE shared_by = ?1",
  "UPDATE artifact_team_shares SET shared_by = ?2 WHERE shared_by = ?1",
  "UPDATE chats SET public = 0 WHERE user_id = ?1 AND public = 1",
  `DELETE FROM share_links WHERE kind IN ('knowledge', 'persona', 'prompt') AND content_id IN (SELECT id FROM user_contexts WHERE user_id = ?1
     UNION ALL SELECT id FROM user_system_prompts WHERE user_id = ?1 UNION ALL SELECT id FROM template_messages WHERE user_id = ?1)`,
  ...[
    "sessions",
    "identities",
    "api_keys",
    "additional_emails",
    "additional_email_codes",
    "messaging_codes",
    "messaging_links",
    "messaging_messages",
    "messaging_conversations",
    "messaging_waiting",
    "mcp_connections",
    "codegen_connections",
  ].map((table) => `DELETE FROM ${table} WHERE user_id = ?1`),
  `UPDATE users SET display_name = '${DELETED_USER.name}', email = NULL, profile_image = NULL, preferences = NULL, model_allowlist = NULL,
     solo_plan = 0, team_plan = 0, blocked_at = COALESCE(blocked_at, created_at), time_zone = NULL, browser_time_zone = NULL,
     region = NULL WHERE id = ?1`,
];

/** What a person made for teams that are there stays with the teams; what it said before it was shared does not. */
const TO_TEAMS = [
  `DELETE FROM user_system_prompt_versions WHERE persona_id IN
     (SELECT id FROM user_system_prompts WHERE user_id = ?1 AND team_id IS NOT NULL)`,
  ...["user_system_prompts", "template_messages", "user_contexts"].map(
    (table) => `UPDATE ${table} SET user_id = ?2${table === "user_system_prompts" ? ", personalization = NULL, is_default = 0" : ""}
       WHERE user_id = ?1 AND id <> ?1 AND team_id IN (SELECT id FROM teams WHERE deleted_at IS NULL)`,
  ),
];

/** What one person may have very many rows of: one statement over all of them would keep the database from everybody. In their order, a batch at a time. */
const BATCHED_STATEMENTS = [
  `DELETE FROM failed_jobs WHERE id IN (SELECT id FROM failed_jobs WHERE instr(payload, ?1) > 0 AND kind <> 'account.delete' LIMIT ${BATCH_ROWS})`,
  `DELETE FROM failed_jobs WHERE id IN (SELECT f.id FROM failed_jobs f
     WHERE EXISTS (SELECT 1 FROM chats c WHERE c.user_id = ?1 AND instr(f.payload, c.id) > 0) LIMIT ${BATCH_ROWS})`,
  `DELETE FROM uploads WHERE id IN (SELECT id FROM uploads WHERE chat_id IN (SELECT id FROM chats WHERE user_id = ?1) LIMIT ${BATCH_ROWS})`,
  `UPDATE artifact_versions SET author_id = ?2, chat_id = NULL, message_id = NULL
     WHERE (artifact_id, version) IN (SELECT artifact_id, version FROM artifact_versions WHERE author_id = ?1 LIMIT ${BATCH_ROWS})`,
  // An id stays taken: what comes late to a deleted chat cannot create it again.
  `UPDATE chats SET user_id = ?2, title = '', team_id = NULL, mail_token = NULL, created_at = deleted_at
     WHERE id IN (SELECT id FROM chats WHERE user_id = ?1 AND deleted_at IS NOT NULL LIMIT ${BATCH_ROWS})`,
];

/** The rest, once nothing else needs to know whose it was; the sums that teams and operators see stay without a person. */
const AT_LAST = [
  `INSERT INTO usage_days (user_id, day, team_id, model_id, calls, tokens, cost_micros, seq)
     SELECT ?2, day, team_id, model_id, calls, tokens, cost_micros, 0 FROM usage_days WHERE user_id = ?1
     ON CONFLICT (user_id, day, team_id, model_id) DO UPDATE SET
       calls = calls + excluded.calls, tokens = tokens + excluded.tokens, cost_micros = cost_micros + excluded.cost_micros`,
  "DELETE FROM usage_days WHERE user_id = ?1",
  "INSERT OR REPLACE INTO former_members SELECT team_id, ?2, '" +
    DELETED_USER.name +
    "', joined_at, left_at FROM former_members WHERE user_id = ?1",
  "DELETE FROM former_members WHERE user_id = ?1",
  "UPDATE artifact_files SET user_id = ?2 WHERE user_id = ?1",
  "UPDATE user_context_files SET user_id = ?2 WHERE user_id = ?1",
  "DELETE FROM user_context_drive_folders WHERE user_id = ?1",
  "UPDATE team_invitations SET invited_by = ?2 WHERE invited_by = ?1",
  "UPDATE team_invitations SET accepted_by = ?2 WHERE accepted_by = ?1",
  "UPDATE teams SET created_by = ?2 WHERE created_by = ?1",
  // What others opened their account by stays theirs.
  "UPDATE invites SET created_by = ?2, sent_to = NULL WHERE created_by = ?1 AND id IN (SELECT invite_id FROM invite_uses)",
  "DELETE FROM feedback WHERE user_id = ?1",
  "DELETE FROM users WHERE id = ?1",
];

function run(db: Database, statements: readonly string[], userId: string): D1PreparedStatement[] {
  return statements.map((text) => db.$client.prepare(text).bind(...[userId, DELETED_USER.id].slice(0, text.includes("?2") ? 2 : 1)));
}

/** A statement that is noted along, with its parameters. */
export type Statement = { sql: string; params: unknown[] };

type Begin = {
  userId: string;
  origin: string;
  at: string;
  firstStage: string;
  mailbox: string;
  giftKey: string;
  entry?: Statement | undefined;
};

/** Notes a deletion and takes the account its name, its addresses and all ways in, in one transaction; a guest has none of these. */
export async function beginRows(db: Database, { userId, origin, at, firstStage, mailbox, giftKey, entry }: Begin): Promise<void> {
  const note = `INSERT INTO account_deletions (user_id, mail_to, origin, addresses, picture, stage, started_at, touched_at)
    SELECT u.id, CASE WHEN EXISTS (SELECT 1 FROM mail_suppressions s WHERE s.address = u.email) THEN NULL ELSE u.email END, ?2,
      (SELECT json_group_array(e.email) FROM (
         SELECT u.email AS email WHERE u.email IS NOT NULL UNION ALL SELECT email FROM additional_emails WHERE user_id = u.id
       ) e), u.profile_image, ?3, ?4, ?4
    FROM users u WHERE u.id = ?1 ON CONFLICT DO NOTHING`;
  // The next account of the same mailbox gets no gift again, which a digest is enough to know.
  const gift = `UPDATE OR REPLACE credit_gifts SET mailbox = ?3, user_id = ?2
    WHERE user_id = ?1 OR (mailbox = ?4 AND EXISTS (SELECT 1 FROM users WHERE id = ?1 AND email IS NOT NULL))`;
  await db.$client.batch([
    db.$client.prepare(note).bind(userId, origin, firstStage, at),
    db.$client.prepare(gift).bind(userId, DELETED_USER.id, giftKey, mailbox),
    ...(entry ? [db.$client.prepare(entry.sql).bind(...entry.params)] : []),
    ...run(db, AT_ONCE, userId),
  ]);
}

/** Leaves to teams what a person made for them. */
export async function leaveToTeams(db: Database, userId: string): Promise<void> {
  await db.$client.batch(run(db, TO_TEAMS, userId));
}

/** Deletes a batch of what stayed with teams that are gone by now; knowledge has more than rows and goes by itself. True where there may be more. */
export async function deleteOrphanedContent(db: Database): Promise<boolean> {
  const drop = (table: string) =>
    db.$client
      .prepare(
        `DELETE FROM ${table} WHERE id IN (SELECT id FROM ${table} WHERE user_id = ? AND team_id IS NULL LIMIT ${BATCH_ROWS}) RETURNING 1`,
      )
      .bind(DELETED_USER.id);
  const deletedRows = await db.$client.batch([drop("user_system_prompts"), drop("template_messages")]);
  return deletedRows.some(({ results }) => results.length === BATCH_ROWS);
}

/** Deletes or makes nameless the rows that are left of a person, and at last the person; true where there is more to do. */
export async function finishRows(db: Database, userId: string): Promise<boolean> {
  for (const statement of run(
    db,
    BATCHED_STATEMENTS.map((text) => `${text} RETURNING 1`),
    userId,
  )) {
    const { results } = await statement.all();
    if (results.length === BATCH_ROWS) return true;
  }
  await db.$client.batch(run(db, AT_LAST, userId));
  return false;
}

/** Forgets that a deletion failed on its way, once it came to its end. */
export async function forgetFailures(db: Database, userId: string): Promise<void> {
  await db.$client.prepare("DELETE FROM failed_jobs WHERE instr(payload, ?1) > 0").bind(userId).run();
}
