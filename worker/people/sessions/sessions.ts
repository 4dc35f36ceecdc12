import { SESSION_KEEPS_NOTHING_IDLE_MS, SESSION_IDLE_MS, SESSION_MAX_MS } from "#shared/limits.ts";
import { planOf } from "#shared/plans.ts";
import { AppError } from "#worker/platform/errors/app-error.ts";
import type { Database } from "#worker/platform/db/client.ts";
import type { Caller, ModelSettings, ToolPreferences } from "#worker/platform/env.ts";
import { followingToggles, parseToolSettings } from "#worker/people/tool-settings/tool-settings.ts";
import type { PersonRow } from "#worker/platform/db/schema/person.ts";
import { findSession, findSessionTimes, findSessionWithPerson, insertSession, type NewSession, touchSession } from "./queries.ts";
import { randomToken, sha256 } from "#worker/platform/random.ts";
import type { Region } from "./region.ts";

/** How stale `last_seen_at` may grow before it is written again: an hour, to spare the database. */
const TOUCH_AFTER_MS = 60 * 60_000;

/** A session in force: who asks, when it ends unless used again (epoch milliseconds), and whether the browser forgets it when it is closed. */
export type LiveSession = { caller: Caller; expiresAt: number; keepsNothing: boolean };

export { deleteEnded, findSessionTimes, sessionStatements } from "./queries.ts";

type Person = { id: string; anonymous: boolean; display_name: string; solo_plan: boolean; team_plan: boolean };

/** `provedAt` is when the person proved who they are, in epoch milliseconds. */
export type Opening = { userAgent: string; region?: Region | null; provedAt?: number | null; keepsNothing?: boolean };

/** A session by its secret, which goes into the cookie; the database keeps its SHA-256 alone. */
type Opened = LiveSession & { secret: string };

/** Opens a session. Throws ACCOUNT_BLOCKED. */
export async function openSession(db: Database, person: Person, opening: Opening): Promise<Opened> {
  const { made, secret } = await newSession(person.id, opening);
  if (!(await insertSession(db, made))) throw new AppError("ACCOUNT_BLOCKED");
  return openedSession(person, { made, secret });
}

/** A session of a person that is still to be stored. */
export async function newSession(
  userId: string,
  { userAgent, region = null, provedAt = null, keepsNothing = false }: Opening,
): Promise<{ made: NewSession; secret: string }> {
  const secret = randomToken();
  const id = await sha256(secret);
  const now = Date.now();
  const at = new Date(now).toISOString();
  const row = {
    id,
    user_id: userId,
    user_agent: userAgent.slice(0, 300),
    created_at: at,
    last_seen_at: at,
    expires_at: new Date(now + idleMs(keepsNothing)).toISOString(),
    proved_at: provedAt === null ? null : new Date(provedAt).toISOString(),
    keeps_nothing: keepsNothing,
  };
  return { made: { row, region }, secret };
}

/** The same once it is stored. */
export function openedSession(person: Person, { made: { row }, secret }: { made: NewSession; secret: string }): Opened {
  return { secret, caller: toCaller(row.id, person), expiresAt: Date.parse(row.expires_at), keepsNothing: row.keeps_nothing };
}

/** A session with what its user set about models and tools. */
export type FoundSession = LiveSession & { models: ModelSettings; tools: ToolPreferences };

/** The session of a row, renewed by use: 30 days from its last use, 90 from its start. Null once it has ended. */
export async function findLiveSession(db: Database, id: string): Promise<FoundSession | null> {
  const now = Date.now();
  const row = await findSession(db, id, new Date(now).toISOString());
  return row ? toFound(db, id, { row, now }) : null;
}

/** The same with its person, by one query. */
export async function findLivePerson(db: Database, id: string): Promise<(FoundSession & { person: PersonRow }) | null> {
  const now = Date.now();
  const row = await findSessionWithPerson(db, id, new Date(now).toISOString());
  return row ? { ...(await toFound(db, id, { row: row.session, now })), person: row } : null;
}

type SessionFound = NonNullable<Awaited<ReturnType<typeof findSession>>>;

async function toFound(db: Database, id: string, { row, now }: { row: SessionFound; now: number }): Promise<FoundSession> {
  const expiresAt = await renewByUse(db, id, { row, now });
  const person = {
    id: row.userId,
    anonymous: row.anonymous,
    display_name: row.displayName,
    solo_plan: row.soloPlan,
    team_plan: row.teamPlan,
  };
  const models = { allowlist: row.allowlist, preferred: row.preferredModel };
  const tools = {
    settings: followingToggles(parseToolSettings(row.toolSettings), {
      artifactsEnabled: row.artifactsEnabled,
      hasCodegen: row.hasCodegen === 1 || row.preferences?.enableCodegen === true,
      hasGmail: row.hasGmail === 1,
    }),
    defaultCategories: row.preferences?.defaultToolCategories ?? [],
    defaultPersonaId: row.defaultPersonaId,
    memory: { isOn: row.memoryOn, isOnWhenTriggered: row.memoryOnWhenTriggered },
    approvalDays: row.approvalDays,
  };
  return { caller: { ...toCaller(id, person), endsAt: expiresAt }, models, tools, expiresAt, keepsNothing: row.keepsNothing };
}

export async function isLiveSession(db: Database, id: string): Promise<boolean> {
  return (await findLiveTimes(db, id)) !== null;
}

/** A session in force, which is renewed by use as by `findLiveSession`; its row alone is read. Null once it has ended. */
export async function findLiveTimes(db: Database, id: string): Promise<Times | null> {
  const now = Date.now();
  const row = await findSessionTimes(db, id, new Date(now).toISOString());
  if (row) await renewByUse(db, id, { row, now });
  return row ?? null;
}

type Times = { userId: string; createdAt: string; lastSeenAt: string; expiresAt: string; keepsNothing: boolean };

/** Answers when the session ends now, in epoch milliseconds. */
async function renewByUse(db: Database, id: string, { row, now }: { row: Times; now: number }): Promise<number> {
  if (now - Date.parse(row.lastSeenAt) < TOUCH_AFTER_MS) return Date.parse(row.expiresAt);
  const expiresAt = Math.min(now + idleMs(row.keepsNothing), Date.parse(row.createdAt) + SESSION_MAX_MS);
  await touchSession(db, id, { userId: row.userId, now: new Date(now).toISOString(), expiresAt: new Date(expiresAt).toISOString() });
  return expiresAt;
}

function idleMs(keepsNothing: boolean): number {
  return keepsNothing ? SESSION_KEEPS_NOTHING_IDLE_MS : SESSION_IDLE_MS;
}

/** What the rest of the Worker knows of a person who asks. */
export function toCaller(sessionId: string, person: Person): Caller {
  const plan = planOf(person);
  return { userId: person.id, sessionId, anonymous: person.anonymous, displayName: person.display_name, plan };
}
