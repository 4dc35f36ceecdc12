import { and, asc, count, eq, gt, inArray, ne, or, sql } from "drizzle-orm";
import type { Database } from "#worker/platform/db/client.ts";
import { pushDevices } from "#worker/platform/db/schema/push-devices.ts";
import { sessions } from "#worker/platform/db/schema/sessions.ts";
import { users } from "#worker/platform/db/schema/users.ts";

export type PushDeviceRow = typeof pushDevices.$inferSelect;

/**
 * Makes a browser its session's one device, in the place of what it was before; again it stays as it is.
 * Nothing for one too many, or for the address of another browser.
 */
export async function replaceDevice(db: Database, row: PushDeviceRow, limit: number): Promise<PushDeviceRow | undefined> {
  const { id, user_id, session_id, endpoint, p256dh, auth, name, created_at } = row;
  // Only the browser itself knows its secret: it may have been somebody else's before.
  const ofOthers = and(eq(pushDevices.endpoint, endpoint), eq(pushDevices.auth, auth), ne(pushDevices.user_id, user_id));
  const [, kept] = await db.batch([
    db.delete(pushDevices).where(or(and(eq(pushDevices.session_id, session_id), ne(pushDevices.endpoint, endpoint)), ofOthers)),
    db
      .insert(pushDevices)
      .select(
        sql`SELECT ${id}, user_id, id, ${endpoint}, ${p256dh}, ${auth}, ${name}, ${created_at} FROM sessions
              WHERE id = ${session_id} AND user_id = ${user_id}
                AND (SELECT COUNT(*) FROM push_devices WHERE user_id = ${user_id} AND endpoint <> ${endpoint}) < ${limit}`,
      )
      .onConflictDoUpdate({
        target: pushDevices.endpoint,
        set: { session_id, p256dh, name },
        setWhere: and(eq(pushDevices.user_id, user_id), eq(pushDevices.auth, auth)),
      })
      .returning(),
  ]);
  return kept[0];
}

const isLive = (now: string) => gt(sessions.expires_at, now);

/** A user's devices whose sessions are in force at `now` (ISO 8601), oldest first. */
export async function selectDevices(db: Database, userId: string, now: string): Promise<PushDeviceRow[]> {
  const rows = await db
    .select({ device: pushDevices })
    .from(pushDevices)
    .innerJoin(sessions, eq(sessions.id, pushDevices.session_id))
    .where(and(eq(pushDevices.user_id, userId), isLive(now)))
    .orderBy(asc(pushDevices.created_at), asc(pushDevices.id));
  return rows.map(({ device }) => device);
}

/** One device of a user whose session is in force at `now` (ISO 8601), unless the account is blocked. */
export async function selectDevice(
  db: Database,
  { userId, id }: { userId: string; id: string },
  now: string,
): Promise<PushDeviceRow | undefined> {
  const row = await db
    .select({ device: pushDevices })
    .from(pushDevices)
    .innerJoin(sessions, eq(sessions.id, pushDevices.session_id))
    .innerJoin(users, eq(users.id, pushDevices.user_id))
    .where(and(eq(pushDevices.id, id), eq(pushDevices.user_id, userId), isLive(now), sql`${users.blocked_at} IS NULL`))
    .get();
  return row?.device;
}

/** True where a session's device has one of these addresses. */
export async function hasDeviceAt(db: Database, sessionId: string, endpoints: readonly string[]): Promise<boolean> {
  const found = await db
    .select({ id: pushDevices.id })
    .from(pushDevices)
    .where(and(eq(pushDevices.session_id, sessionId), inArray(pushDevices.endpoint, [...endpoints])))
    .get();
  return found !== undefined;
}

export async function deleteDevice(db: Database, { userId, id }: { userId: string; id: string }): Promise<void> {
  await db.delete(pushDevices).where(and(eq(pushDevices.id, id), eq(pushDevices.user_id, userId)));
}

/** What a user wants no push about, and how many devices they have; nothing for who is gone. */
export async function selectPushSettings(db: Database, userId: string): Promise<{ muted: string[]; devices: number } | undefined> {
  const row = await db
    .select({ muted: users.push_muted, devices: count(pushDevices.id) })
    .from(users)
    .leftJoin(pushDevices, eq(pushDevices.user_id, users.id))
    .where(and(eq(users.id, userId), sql`${users.blocked_at} IS NULL`))
    .groupBy(users.id)
    .get();
  return row && { muted: row.muted ?? [], devices: row.devices };
}

/** Notes for which kinds a user wants no push. */
export async function setMuted(db: Database, userId: string, muted: readonly string[]): Promise<void> {
  await db
    .update(users)
    .set({ push_muted: muted.length === 0 ? null : [...muted] })
    .where(eq(users.id, userId));
}
