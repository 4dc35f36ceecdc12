import { and, desc, eq, gt, isNull, lt, ne, sql } from "drizzle-orm";
import type { Database } from "#worker/platform/db/client.ts";
import { deleteBatch } from "#worker/platform/db/delete-batch.ts";
import { sessions, signInCodes } from "#worker/platform/db/schema/sessions.ts";
import { hasGmail } from "#worker/platform/db/schema/google-connections.ts";
import { hasCodegen } from "#worker/platform/db/schema/outbound.ts";
import { personColumns } from "#worker/platform/db/schema/person.ts";
import { toolSettingsJson } from "#worker/platform/db/schema/tool-settings.ts";
import { pushDevices } from "#worker/platform/db/schema/push-devices.ts";
import { users } from "#worker/platform/db/schema/users.ts";
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

/** Removes sessions and codes that ended before `now` (ISO 8601), a batch of each; true where there may be more. */
export async function deleteEnded(db: Database, now: string): Promise<boolean> {
  const ended = await Promise.all([
    deleteBatch(db, { table: sessions, key: [sessions.id], where: lt(sessions.expires_at, now) }),
    deleteBatch(db, { table: signInCodes, key: [signInCodes.browser, signInCodes.email], where: lt(signInCodes.expires_at, now) }),
  ]);
  return ended.includes(true);
}

/** Lets a browser be notified further when its person signs in again there, which starts a new session. */
export async function movePushDevice(db: Database, { from, to }: { from: string; to: string }): Promise<void> {
  await db.update(pushDevices).set({ session_id: to }).where(eq(pushDevices.session_id, from));
}
