/** What a chat of somebody else's keeps of a person whose account is deleted: what they wrote, without who wrote it. */
import * as z from "zod/mini";
import { deleteObjects, fileKey, textKey } from "#worker/library/attachments/attachment-keys.ts";
import type { Env } from "#worker/platform/env.ts";
import { rawMailKey } from "#worker/mail/chat-address/room-mail.ts";
import { readChat, storedTurn } from "./chat.ts";
import { resolveCosts } from "./charges/resolve-costs.ts";
import { ownFiles } from "./messages/attachments.ts";
import { noteStored } from "./messages/stored-files.ts";
import type { Forgotten } from "#worker/conversation/room/rpc.ts";
import type { Room } from "./room-parts.ts";
import { DELETED_ADDRESS, DELETED_USER } from "#shared/deleted-user.ts";
import { withoutNames } from "#shared/knowledge-citations.ts";
import { citationsOf } from "#worker/conversation/turn/path.ts";
import { readableRounds } from "#worker/conversation/turn/tool-call.ts";
import { readRounds, updateCall } from "./messages/tool-rounds.ts";

const { id: NOBODY, name: NO_NAME } = DELETED_USER;

/** Columns beside an id that hold the name to it, and what goes with the person. */
const STATEMENTS = [
  "UPDATE messages SET messaging = json_set(messaging, '$.from', NULL) WHERE author_id = ?1 AND messaging IS NOT NULL",
  "UPDATE messages SET author_name = ?2 WHERE author_id = ?1",
  // Others never saw it, and now nobody does.
  "UPDATE messages SET reasoning = NULL, reasoning_ms = NULL, reasoning_details = NULL WHERE payer_id = ?1 AND used_own = 1",
  "UPDATE tool_rounds SET reasoning_details = NULL WHERE reply_id IN (SELECT id FROM messages WHERE payer_id = ?1)",
  "UPDATE messages SET memory = NULL WHERE instr(memory, ?1) > 0",
  "UPDATE messages SET context = NULL WHERE payer_id = ?1",
  "UPDATE chat SET last_sender_name = ?2 WHERE last_sender_id = ?1",
  "UPDATE members SET shared_by_name = ?2 WHERE shared_by_id = ?1",
  "DELETE FROM members WHERE user_id = ?1",
  "DELETE FROM readers WHERE user_id = ?1",
  "DELETE FROM queue WHERE author_id = ?1",
  "DELETE FROM attachments WHERE uploader_id = ?1 AND is_own = 1",
  "DELETE FROM mail_reminders WHERE user_id = ?1",
  "DELETE FROM approval_mails WHERE user_id = ?1",
  "DELETE FROM messaging_in WHERE user_id = ?1",
  "DELETE FROM messaging_out WHERE user_id = ?1",
  "DELETE FROM charges WHERE payer_id = ?1",
  "DELETE FROM outbox WHERE target = 'hub:' || ?1",
];

/** The texts that people wrote: an address in one is what somebody said, and no trace of ours. */
const WRITTEN = new Set(["content", "text_body", "quoted_body", "subject"]);

/** Ends what a person has under way in a chat and makes them nameless in it. */
export async function forgetPerson(env: Env, room: Room, person: Forgotten): Promise<void> {
  const { sql, storage, outbox, turns } = room;
  turns.cut(({ userId }) => userId === person.userId);
  if (storedTurn(sql)?.request.reader.userId === person.userId) await turns.stop();
  const { id: chatId } = readChat(sql);
  // What they have to pay reaches their ledger, whose sums stay with their teams.
  await resolveCosts(env, sql, chatId);
  await outbox.deliver();
  const files = ownFiles(sql, person.userId).map(({ id, objectId }) => ({ chatId, id, objectId }));
  const keys = [
    ...sourcesOf(sql, person).map((object) => rawMailKey(chatId, object)),
    ...files.flatMap((file) => [fileKey(file), textKey(file)]),
  ];
  await deleteObjects(env.FILES, keys);
  storage.transactionSync(() => {
    removeTraces(sql, person);
    if (files.length > 0) noteStored(sql);
    outbox.mark(room.readers(), { updates: [{ type: "person.forgotten" }] });
  });
  if (files.length > 0) await room.notifyStored();
  await room.access.refresh();
  room.report();
}

/** Makes a person nameless in what the chat keeps; call it in a transaction. */
function removeTraces(sql: SqlStorage, { userId, addresses }: Forgotten): void {
  hidePrivate(sql, userId);
  forgetSender(sql, { userId, addresses });
  for (const statement of STATEMENTS) sql.exec(statement, ...[userId, NO_NAME].slice(0, statement.includes("?2") ? 2 : 1));
  const swaps = new Map([[userId, NOBODY], ...addresses.map((address) => [address, DELETED_ADDRESS] as const)]);
  for (const place of columnsOf(sql))
    for (const [from, to] of swaps) if (from === userId || !WRITTEN.has(place.column)) swap(sql, place, { from, to });
}

const IS_THEIRS = "direction = 'in' AND (sender_id = ?1 OR lower(from_addr) IN (SELECT value FROM json_each(?2)))";

/** Where the sources of their mails lie, which say who they are in each line. */
function sourcesOf(sql: SqlStorage, { userId, addresses }: Forgotten): string[] {
  return sql
    .exec<{ raw_object: string }>(
      `SELECT raw_object FROM mails WHERE raw_object IS NOT NULL AND ${IS_THEIRS}`,
      userId,
      JSON.stringify(addresses),
    )
    .toArray()
    .map(({ raw_object: object }) => object);
}

/** Their mails stay as what they said. */
function forgetSender(sql: SqlStorage, { userId, addresses }: Forgotten): void {
  const place = [userId, JSON.stringify(addresses), NO_NAME] as const;
  sql.exec(
    `UPDATE messages SET author_name = ?3, mail = json_set(mail, '$.from_name', ?3)
       WHERE mail IS NOT NULL AND id IN (SELECT turn_id FROM mails WHERE ${IS_THEIRS})`,
    ...place,
  );
  sql.exec(
    `UPDATE chat SET last_sender_name = ?3 WHERE last_sender_id = '' AND last_sender_name IN (SELECT from_name FROM mails WHERE ${IS_THEIRS})`,
    ...place,
  );
  sql.exec(
    `UPDATE mails SET from_name = ?3, from_addr = ?4, sender_id = NULL, raw_object = NULL WHERE ${IS_THEIRS}`,
    ...place,
    DELETED_ADDRESS,
  );
}

/** What a reply of theirs looked up in what was theirs alone: others never saw it, and now nobody does. */
function hidePrivate(sql: SqlStorage, userId: string): void {
  const asked = sql.exec<{ reply_id: string }>("SELECT DISTINCT reply_id FROM tool_calls WHERE instr(approval, ?) > 0", userId).toArray();
  const rounds = readRounds(
    sql,
    asked.map(({ reply_id: id }) => id),
  );
  for (const [replyId, made] of rounds) {
    for (const call of readableRounds(made, NOBODY).flatMap(({ calls }) => calls))
      if (call.approval?.user.id === userId) updateCall(sql, replyId, call);
  }
  const withKnowledge = sql
    .exec<{ id: string; citations: string | null }>("SELECT id, citations FROM messages WHERE instr(knowledge, ?) > 0", userId)
    .toArray();
  for (const { id, citations } of withKnowledge) {
    const shown = citations && JSON.stringify(withoutNames(citationsOf({ citations })));
    sql.exec("UPDATE messages SET citations = ?, knowledge = NULL WHERE id = ?", shown, id);
  }
}

type Place = { table: string; column: string };

/** Every column that holds text, of every table: one that is added later is looked through as well. */
function columnsOf(sql: SqlStorage): Place[] {
  return sql
    .exec<Place>(
      `SELECT m.name AS "table", c.name AS "column" FROM sqlite_master m, pragma_table_info(m.name) c
         WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite%' AND m.name NOT LIKE '\\_cf%' ESCAPE '\\' AND c.type = 'TEXT'`,
    )
    .toArray();
}

/** Where an address or an id begins and ends: one that merely ends or begins like it is somebody else's. */
const BEFORE = String.raw`(?<![\p{L}\p{N}_.+%-])`;
const AFTER = String.raw`(?![\p{L}\p{N}_-]|\.[\p{L}\p{N}_])`;

/** Puts another id or address in the place of theirs; in JSON a name beside the id goes with it. */
function swap(sql: SqlStorage, { table, column }: Place, { from, to }: { from: string; to: string }): void {
  const found = sql
    .exec<{ text: string }>(`SELECT DISTINCT "${column}" AS text FROM "${table}" WHERE instr(lower("${column}"), ?) > 0`, from)
    .toArray();
  const theirs = new RegExp(`${BEFORE}${escaped(from)}${AFTER}`, "giu");
  for (const { text } of found) {
    const replaced = text.replaceAll(theirs, to);
    if (replaced === text) continue;
    const swapped = withoutNameBeside(replaced, to);
    sql.exec(`UPDATE "${table}" SET "${column}" = ? WHERE "${column}" = ?`, swapped, text);
  }
}

function escaped(text: string): string {
  return text.replaceAll(/[\^$.*+?()[\]{}|]/g, String.raw`\$&`);
}

const NAMES = new Set(["name", "display_name", "displayName"]);
const Named = z.record(z.string(), z.unknown());

function withoutNameBeside(text: string, id: string): string {
  const value = id === NOBODY && /^[{[]/.test(text) ? parseJson(text) : undefined;
  return value === undefined ? text : JSON.stringify(nameless(value));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // A text that only looks like it.
    return undefined;
  }
}

function nameless(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(nameless);
  const object = Named.safeParse(value).data;
  if (object === undefined || value === null || typeof value !== "object") return value;
  const isNobody = Object.values(object).includes(NOBODY);
  return Object.fromEntries(
    Object.entries(object).map(([key, inner]) => [
      key,
      isNobody && NAMES.has(key) && typeof inner === "string" ? NO_NAME : nameless(inner),
    ]),
  );
}
