import { randomUUID } from "node:crypto";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { markdownOfLength } from "#test/simulators/aggregator/bytes.ts";
import type { BenchServer, BenchUser } from "../../scripts/lib/bench/bench-server.ts";
import { startReaders } from "./load/readers.ts";

/** Characters of a long chat's questions and answers. */
const QUESTION = 150;
const ANSWER = 1_950;

/** The parts of the stored people's names; their numbers have no common divisor. */
const NAMES = ["Anneke", "Hanna", "Ines", "Karim", "Lena", "Paul", "Tomás"];
const LATER_NAMES = ["Brandt", "de Vries", "Moreau", "Okafor", "Ribeiro", "Saidi", "Voss", "Zhang"];

/** A chat with its reader and the message that the next one answers. */
export type SeededChat = { user: BenchUser; chatId: string; parentId: string };

/** Makes one chat for each user given, with one short turn. */
export async function makeChats(server: BenchServer, users: BenchUser[]): Promise<SeededChat[]> {
  const readers = startReaders();
  const chats = users.map((user) => ({ user, chatId: randomUUID() }));
  const runs = await readers.run(
    chats.map(({ user, chatId }, index) => ({
      startAfterMs: index * 8,
      turns: 1,
      content: "say The first answer.",
      ask: { kind: "chat", origin: server.origin, cookie: user.cookie, chatId, parentId: null },
    })),
  );
  await readers.close();
  return chats.map((chat, index) => {
    const run = runs[index]?.[0];
    if (!run?.lastId || run.error !== null) throw new Error(`A chat could not be made: ${run?.error}`);
    return { ...chat, parentId: run.lastId };
  });
}

/** A chat of its own of so many messages, about 1 KB each: short questions and long answers. */
export async function makeLongChat(server: BenchServer, count: number): Promise<SeededChat> {
  let chats = await makeChats(server, await makeUsers(server, 1));
  await server.whileStopped((persistTo) => {
    chats = addMessages(persistTo, chats, { count, textOf: (n) => markdownOfLength(n % 2 === 0 ? QUESTION : ANSWER) });
  });
  const [chat] = chats;
  if (!chat) throw new Error("No chat was made.");
  return chat;
}

/** Makes users one after the other. */
export async function makeUsers(server: Pick<BenchServer, "newUser">, count: number): Promise<BenchUser[]> {
  const users: BenchUser[] = [];
  for (let n = 0; n < count; n += 1) users.push(await server.newUser());
  return users;
}

/** Adds a line of messages to stored chats; the server must not run. `textOf` says what the nth added message reads. */
export function addMessages(
  persistTo: string,
  chats: SeededChat[],
  { count, textOf }: { count: number; textOf: (n: number) => string },
): SeededChat[] {
  const files = storesOf(persistTo, "ChatRoom");
  const byId = new Map(files.flatMap((file) => idOf(file, "SELECT id FROM chat").map((id) => [id, file])));
  return chats.map((chat) => {
    const file = byId.get(chat.chatId);
    if (!file) throw new Error("A chat to add messages to is not stored.");
    return { ...chat, parentId: extend(file, chat, { count, textOf }) };
  });
}

function extend(file: string, { user, parentId }: SeededChat, { count, textOf }: { count: number; textOf: (n: number) => string }): string {
  const db = new DatabaseSync(file);
  const insert = db.prepare(
    `INSERT INTO messages (id, parent_id, role, content, status, author_id, author_name, model_id, requested_model_id, reply_id, created_at)
     VALUES (?, ?, ?, ?, 'done', ?, ?, ?, ?, ?, ?)`,
  );
  let last = parentId;
  db.exec("BEGIN");
  for (let n = 0; n < count; n += 1) {
    const id = randomUUID();
    const isUser = n % 2 === 0;
    const model = isUser ? null : "openai/gpt-5-mini";
    const at = new Date(Date.now() - (count - n) * 1000).toISOString();
    insert.run(id, last, isUser ? "user" : "assistant", textOf(n), isUser ? user.id : null, isUser ? "Bench" : null, model, model, id, at);
    last = id;
  }
  db.prepare("UPDATE chat SET head_id = ?").run(last);
  db.prepare("UPDATE readers SET leaf_id = ?").run(last);
  db.exec("COMMIT");
  db.close();
  return last;
}

/** The stored hub whose list has this chat. */
export function hubStoreOf(persistTo: string, chatId: string): string {
  const file = storesOf(persistTo, "UserHub").find((store) => idOf(store, "SELECT id FROM chats").includes(chatId));
  if (!file) throw new Error("The list to fill is not stored.");
  return file;
}

/** Fills the list of a user who has one chat with copies of it; the server must not run. */
export function addListedChats(persistTo: string, { chatId, count }: { chatId: string; count: number }): void {
  const db = new DatabaseSync(hubStoreOf(persistTo, chatId));
  const row = String(db.prepare("SELECT row FROM chats WHERE id = ?").get(chatId)?.["row"]);
  const insert = db.prepare("INSERT INTO chats (id, version, changed, row, last_at, is_read) VALUES (?, 1, ?, ?, ?, ?)");
  const cursor = Number(db.prepare("SELECT cursor FROM hub").get()?.["cursor"]);
  db.exec("BEGIN");
  for (let n = 1; n <= count; n += 1) {
    const id = randomUUID();
    const at = new Date(Date.now() - n * 600_000).toISOString();
    const copy = { ...JSON.parse(row), id, title: `Chat ${n} about lanterns and bridges`, lastMessageAt: at, created_at: at };
    insert.run(id, cursor + n, JSON.stringify(copy), at, n % 7 === 0 ? 0 : 1);
  }
  db.prepare("UPDATE hub SET cursor = ?").run(cursor + count);
  db.exec("COMMIT");
  db.close();
}

function storesOf(persistTo: string, className: string): string[] {
  return readdirSync(persistTo, { recursive: true, encoding: "utf8" })
    .filter((path) => path.includes(className) && /[0-9a-f]{64}\.sqlite$/.test(path))
    .map((path) => join(persistTo, path));
}

function idOf(file: string, query: string): string[] {
  const db = new DatabaseSync(file, { readOnly: true });
  try {
    return db
      .prepare(query)
      .all()
      .map((row) => String(row["id"]));
  } catch {
    // An object that was asked for but never created has no such table.
    return [];
  } finally {
    db.close();
  }
}

/** Makes a team of stored users, the first of them its maker; the server must not run. */
export function addTeam(persistTo: string, { teamId, userIds }: { teamId: string; userIds: readonly string[] }): void {
  const file = databaseOf(persistTo);
  const db = new DatabaseSync(file);
  const at = new Date().toISOString();
  db.exec("BEGIN");
  db.prepare("INSERT INTO teams (id, name, created_by, created_at) VALUES (?, 'Bench', ?, ?)").run(teamId, userIds[0] ?? "", at);
  const insert = db.prepare("INSERT INTO team_members (team_id, user_id, role, created_at) VALUES (?, ?, ?, ?)");
  for (const [n, id] of userIds.entries()) insert.run(teamId, id, n === 0 ? "admin" : "member", at);
  db.exec("COMMIT");
  db.close();
}

function databaseOf(persistTo: string): string {
  const files = readdirSync(persistTo, { recursive: true, encoding: "utf8" })
    .filter((path) => /d1.*[0-9a-f]{64}\.sqlite$/i.test(path))
    .map((path) => join(persistTo, path));
  const file = files.find((path) => idOf(path, "SELECT name AS id FROM sqlite_master WHERE name = 'team_members'").length > 0);
  if (!file) throw new Error("The relational database is not stored.");
  return file;
}

/** Makes stored accounts with names and addresses of their own, and a user the local administrator; the server must not run. */
export function addPeople(persistTo: string, { adminId, count }: { adminId: string; count: number }): void {
  const db = new DatabaseSync(databaseOf(persistTo));
  db.exec("BEGIN");
  db.prepare("UPDATE users SET email = 'admin@example.com' WHERE id = ?").run(adminId);
  const insert = db.prepare("INSERT INTO users (id, display_name, email, created_at, last_seen_at) VALUES (?, ?, ?, ?, ?)");
  for (let n = 0; n < count; n += 1) {
    const at = new Date(Date.now() - n * 60_000).toISOString();
    const name = `${NAMES[n % NAMES.length]} ${LATER_NAMES[n % LATER_NAMES.length]} ${n}`;
    insert.run(randomUUID(), name, `person${n}@example.com`, at, at);
  }
  db.exec("COMMIT");
  db.close();
}

/** Makes stored artifacts of a user's, without their texts; the server must not run. */
export function addArtifacts(persistTo: string, { userId, count }: { userId: string; count: number }): void {
  const db = new DatabaseSync(databaseOf(persistTo));
  const insert = db.prepare(
    "INSERT INTO artifacts (id, user_id, title, preview, version, body, size, created_at, updated_at) VALUES (?, ?, ?, ?, 1, ?, 4000, ?, ?)",
  );
  db.exec("BEGIN");
  for (let n = 0; n < count; n += 1) {
    const at = new Date(Date.now() - (n + 1) * 60_000).toISOString();
    insert.run(randomUUID(), userId, `Artifact ${n} about lanterns`, markdownOfLength(140), randomUUID(), at, at);
  }
  db.exec("COMMIT");
  db.close();
}
