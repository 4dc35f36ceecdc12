import { and, desc, eq, gt, isNull, lt, ne, sql } from "drizzle-orm";
import { CODE_TRIES } from "#shared/limits.ts";
import type { Database } from "../db/client.ts";
import { deletePiece } from "../db/delete-piece.ts";
import { chats } from "../db/schema/chats.ts";
import { sessions, signInCodes } from "../db/schema/sessions.ts";
import { hasGmail } from "../db/schema/google-connections.ts";
import { hasCodegen } from "../db/schema/outbound.ts";
import { personColumns } from "../db/schema/person.ts";
import { toolSettingsJson } from "../db/schema/tool-settings.ts";
import { users } from "../db/schema/users.ts";
import type { Region } from "./region.ts";

export type SessionRow = typeof sessions.$inferSelect;

/** Most requests ask these, and putting a statement together costs more than running it. */
const sessionQueries = new WeakMap<Database, ReturnType<typeof prepareSession>>();
const personQueries = new WeakMap<Database, ReturnType<typeof prepareSessionWithPerson>>();
const timesQueries = new WeakMap<Database, ReturnType<typeof prepareTimes>>();

/** A session that has not ended at `now` (ISO 8601), with what its token says of the user. */
export async function findSession(db: Database, id: string, now: string) {
  const query = sessionQueries.get(db) ?? prepareSession(db);
  sessionQueries.set(db, query);
  return query.get({ id, now });
}

/** The same with the person themselves: what a page asks first waits for one query. */
export async function findSessionWithPerson(db: Database, id: string, now: string) {
  const query = personQueries.get(db) ?? prepareSessionWithPerson(db);
  personQueries.set(db, query);
  return query.get({ id, now });
}

/** Whose a session is that has not ended at `now` (ISO 8601), and its times. */
export async function findSessionTimes(db: Database, id: string, now: string) {
  const query = timesQueries.get(db) ?? prepareTimes(db);
  timesQueries.set(db, query);
  return query.get({ id, now });
}

const times = {
  userId: sessions.user_id,
  createdAt: sessions.created_at,
  lastSeenAt: sessions.last_seen_at,
  expiresAt: sessions.expires_at,
  provedAt: sessions.proved_at,
  keepsNothing: sessions.keeps_nothing,
};

const isInForce = and(eq(sessions.id, sql.placeholder("id")), gt(sessions.expires_at, sql.placeholder("now")));

function prepareTimes(db: Database) {
  return db.select(times).from(sessions).where(isInForce).prepare();
}

const session = {
  ...times,
  anonymous: users.anonymous,
  displayName: users.display_name,
  soloPlan: users.solo_plan,
  teamPlan: users.team_plan,
  allowlist: users.model_allowlist,
  preferredModel: users.preferred_model,
  preferences: users.preferences,
  defaultPersonaId: users.default_persona_id,
  memoryOn: users.memory_enabled,
  memoryOnWhenTriggered: users.triggered_memory_enabled,
  approvalDays: users.approval_days,
  artifactsEnabled: users.artifacts_enabled,
  toolSettings: toolSettingsJson(users.id),
  hasCodegen: hasCodegen(users.id),
  hasGmail: hasGmail(users.id),
};

function prepareSession(db: Database) {
  return db.select(session).from(sessions).innerJoin(users, eq(users.id, sessions.user_id)).where(isInForce).prepare();
}

function prepareSessionWithPerson(db: Database) {
  const columns = { session, ...personColumns(sql.placeholder("now")) };
  return db.select(columns).from(sessions).innerJoin(users, eq(users.id, sessions.user_id)).where(isInForce).prepare();
}

/** A session that is to be stored, and where its person is. */
export type NewSession = { row: SessionRow; region: Region | null };

/** Stores a new session, and where its person is; false for an account that is blocked, however late before this it was. */
export async function insertSession(db: Database, made: NewSession): Promise<boolean> {
  const [opened] = await db.batch(sessionStatements(db, made));
  return opened.length > 0;
}

/** What stores a session; of the account with this address alone, where one is given. */
export function sessionStatements(db: Database, { row, region }: NewSession, email?: string) {
  const { id, user_id, user_agent, created_at, last_seen_at, expires_at, proved_at, keeps_nothing } = row;
  const insert = db
    .insert(sessions)
    .select(
      sql`SELECT ${id}, id, ${user_agent}, ${created_at}, ${last_seen_at}, ${expires_at}, ${proved_at}, ${keeps_nothing ? 1 : 0} FROM users
            WHERE id = ${user_id} AND blocked_at IS NULL${email === undefined ? sql`` : sql` AND email = ${email}`}`,
    )
    .returning({ id: sessions.id });
  const isElsewhere = and(eq(users.id, user_id), sql`${users.region} IS NOT ${region}`, isNull(users.blocked_at));
  return [insert, ...(region === null ? [] : [db.update(users).set({ region }).where(isElsewhere)])] as const;
}

/** Moves a session's idle limit, and notes that its user is about. */
export async function touchSession(db: Database, id: string, seen: { userId: string; now: string; expiresAt: string }): Promise<void> {
  await db.batch([
    db.update(sessions).set({ last_seen_at: seen.now, expires_at: seen.expiresAt }).where(eq(sessions.id, id)),
    db.update(users).set({ last_seen_at: seen.now }).where(eq(users.id, seen.userId)),
  ]);
}

/** The sessions of a user that have not ended at `now` (ISO 8601), those used last first. */
export async function selectSessions(db: Database, userId: string, now: string): Promise<SessionRow[]> {
  return db
    .select()
    .from(sessions)
    .where(and(eq(sessions.user_id, userId), gt(sessions.expires_at, now)))
    .orderBy(desc(sessions.last_seen_at), desc(sessions.created_at));
}

/** Ends one session of a user. */
export async function deleteSession(db: Database, userId: string, id: string): Promise<void> {
  await db.delete(sessions).where(and(eq(sessions.user_id, userId), eq(sessions.id, id)));
}

/** Ends every session of a user, but `exceptId` where given; answers which. */
export async function deleteSessions(db: Database, userId: string, exceptId = ""): Promise<string[]> {
  const ended = await db
    .delete(sessions)
    .where(and(eq(sessions.user_id, userId), ne(sessions.id, exceptId)))
    .returning({ id: sessions.id });
  return ended.map(({ id }) => id);
}

/** Makes a code and a link the live ones of their browser and address. */
export async function replaceCode(db: Database, row: Omit<typeof signInCodes.$inferInsert, "tries">): Promise<void> {
  const { code_hash, link_hash, expires_at } = row;
  await db
    .insert(signInCodes)
    .values({ ...row, tries: 0 })
    .onConflictDoUpdate({ target: [signInCodes.browser, signInCodes.email], set: { code_hash, link_hash, expires_at, tries: 0 } });
}

type CodePlace = { browser: string; email: string };

function isAt({ browser, email }: CodePlace) {
  return and(eq(signInCodes.browser, browser), eq(signInCodes.email, email));
}

/** Counts one try against the live code of a browser and address, and returns its hash; nothing once it is spent or past. One statement, so parallel tries cannot exceed the limit. */
export async function countTry(db: Database, { now, ...place }: CodePlace & { now: string }): Promise<string | undefined> {
  const row = await db
    .update(signInCodes)
    .set({ tries: sql`${signInCodes.tries} + 1` })
    .where(and(isAt(place), lt(signInCodes.tries, CODE_TRIES), gt(signInCodes.expires_at, now)))
    .returning({ hash: signInCodes.code_hash })
    .get();
  return row?.hash;
}

/** Uses a code up, and its link; false when another request was first. */
export async function takeCode(db: Database, { hash, ...place }: CodePlace & { hash: string }): Promise<boolean> {
  const row = await db
    .delete(signInCodes)
    .where(and(isAt(place), eq(signInCodes.code_hash, hash)))
    .returning({ email: signInCodes.email })
    .get();
  return row !== undefined;
}

/** Whose address a link proves; nothing for one that is unknown, spent or past `now` (ISO 8601). */
export async function findLink(db: Database, { hash, now }: { hash: string; now: string }): Promise<string | undefined> {
  const row = await db
    .select({ email: signInCodes.email })
    .from(signInCodes)
    .where(and(eq(signInCodes.link_hash, hash), gt(signInCodes.expires_at, now)))
    .get();
  return row?.email;
}

/** Uses a link up, and its code, and returns whose address it proves; nothing for one that is unknown, spent or past `now` (ISO 8601). */
export async function takeLink(db: Database, { hash, now }: { hash: string; now: string }): Promise<string | undefined> {
  const row = await db
    .delete(signInCodes)
    .where(and(eq(signInCodes.link_hash, hash), gt(signInCodes.expires_at, now)))
    .returning({ email: signInCodes.email })
    .get();
  return row?.email;
}

/** Removes sessions and codes that ended before `now` (ISO 8601), a piece of each; true where there may be more. */
export async function deleteEnded(db: Database, now: string): Promise<boolean> {
  const ended = await Promise.all([
    deletePiece(db, { table: sessions, key: [sessions.id], where: lt(sessions.expires_at, now) }),
    deletePiece(db, { table: signInCodes, key: [signInCodes.browser, signInCodes.email], where: lt(signInCodes.expires_at, now) }),
  ]);
  return ended.includes(true);
}

/** The chats a user owns, deleted ones left out. */
export async function listOwnChatIds(db: Database, userId: string): Promise<string[]> {
  const rows = await db
    .select({ id: chats.id })
    .from(chats)
    .where(and(eq(chats.user_id, userId), isNull(chats.deleted_at)));
  return rows.map(({ id }) => id);
}

/** Turns all chats of a user into tombstones. */
export async function markChatsDeleted(db: Database, userId: string, now: string): Promise<void> {
  await db
    .update(chats)
    .set({ deleted_at: now })
    .where(and(eq(chats.user_id, userId), isNull(chats.deleted_at)));
}

/** Gives a chat another owner. */
export async function moveChat(db: Database, chatId: string, { from, to }: { from: string; to: string }): Promise<void> {
  await db
    .update(chats)
    .set({ user_id: to })
    .where(and(eq(chats.id, chatId), eq(chats.user_id, from)));
}
