/** How often each kind of security event happened. */
import { SECURITY_EVENTS, type SecurityEvent } from "#shared/security-events.ts";
import { type Database, openDatabase } from "#worker/platform/db/client.ts";
import type { Env } from "#worker/platform/env.ts";
import { log } from "#worker/platform/log.ts";
import { addCounts, deleteCounts, selectCounts } from "./queries.ts";

const DAY_MS = 24 * 60 * 60_000;
const WEEK = 7;
const RETENTION_DAYS = 90;
/** A write that its request's end cut off holds the next one up no longer. */
const LONGEST_MS = 10_000;

/** What was not written yet. */
const pending = new Map<SecurityEvent, number>();
let writingSince: number | null = null;

/** Counts an event. An isolate writes one statement at a time: however many come, the database gets no more of them. */
export async function countEvent(env: Env, kind: SecurityEvent): Promise<void> {
  pending.set(kind, (pending.get(kind) ?? 0) + 1);
  if (writingSince !== null && Date.now() - writingSince < LONGEST_MS) return;
  writingSince = Date.now();
  try {
    while (pending.size > 0) {
      const counts = new Map(pending);
      pending.clear();
      await addCounts(openDatabase(env.DB), dayOf(Date.now()), counts);
    }
  } catch (cause) {
    log.warn("security events were not counted", { cause });
  } finally {
    writingSince = null;
  }
}

/** The counts of today, and of the last seven days with it; a kind that did not happen is left out. */
export async function readCounts(db: Database, now: Date): Promise<{ kind: SecurityEvent; today: number; week: number }[]> {
  const today = dayOf(now.getTime());
  const rows = await selectCounts(db, dayOf(now.getTime() - (WEEK - 1) * DAY_MS));
  return SECURITY_EVENTS.flatMap((kind) => {
    const own = rows.filter((row) => row.kind === kind && row.day <= today);
    if (own.length === 0) return [];
    return [{ kind, today: own.find(({ day }) => day === today)?.events ?? 0, week: own.reduce((sum, { events }) => sum + events, 0) }];
  });
}

/** Forgets counts after 90 days. */
export async function forgetOldCounts(env: Env): Promise<void> {
  await deleteCounts(openDatabase(env.DB), dayOf(Date.now() - RETENTION_DAYS * DAY_MS));
}

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
