/**
 * What an object does later, behind the one alarm that it has: rows of a table, each due at its time, and beside them what the object
 * finds in its own state when it wakes, which takes no row. The table is made with its first row.
 */
import { log } from "#worker/platform/log.ts";

/** What failed is tried again after so many milliseconds, each time twice as long, up to a day. */
const AGAIN_MS = 60_000;
const AGAIN_MAX_MS = 24 * 60 * 60_000;
/** So much is done in one waking; what else is due comes right after it. */
const A_RUN = 100;

/** Does what is due, answers when it is due again, or null where it is over. It may come more than once, so a repeat must do no harm. */
type Handler = (id: string) => Promise<number | null>;

type Due = { kind: string; id: string; due_at: number; tries: number };

export type DueWork<Kind extends string> = {
  /** Notes that something is due then, in epoch milliseconds; the same again moves it. */
  schedule(kind: Kind, id: string, dueAt: number): Promise<void>;
  /** True for what is noted. */
  has(kind: Kind, id: string): boolean;
  /** Forgets it; an alarm that comes for it finds nothing. */
  cancel(kind: Kind, id: string): void;
  /** Wakes the object then, or before it for what the table has; an alarm that was set for its own state is moved. */
  watch(at: number): Promise<void>;
  /** Wakes the object then, unless it wakes before that anyway. */
  wakeBy(at: number): Promise<void>;
  /** Nothing of the object's own is waited for: it wakes for what the table has alone. */
  rest(): Promise<void>;
  /** Does what is due, when the alarm comes. */
  run(): Promise<void>;
  /** The storage was emptied. */
  forget(): void;
};

export function createDueWork<Kind extends string>(storage: DurableObjectStorage, handlers: Record<Kind, Handler>): DueWork<Kind> {
  const { sql } = storage;
  const doing = new Map<string, Handler>(Object.entries(handlers));
  /** When the first row is due, null without one; undefined while not read. */
  let first: number | null | undefined;

  function next(): number | null {
    if (first === undefined)
      first = hasTable(sql) ? sql.exec<{ at: number | null }>("SELECT MIN(due_at) AS at FROM due_work").one().at : null;
    return first;
  }

  async function wakeBy(at: number): Promise<void> {
    const set = await storage.getAlarm();
    if (set === null || set > at) await storage.setAlarm(at);
  }

  async function doNow({ kind, id, due_at: dueAt, tries }: Due): Promise<void> {
    const again = await attempt(doing.get(kind), { kind, id, tries });
    first = undefined;
    // The storage was emptied meanwhile.
    if (!hasTable(sql)) return;
    // It may have been moved meanwhile.
    const place = [kind, id, dueAt] as const;
    if (again === null) sql.exec("DELETE FROM due_work WHERE kind = ? AND id = ? AND due_at = ?", ...place);
    else sql.exec("UPDATE due_work SET due_at = ?, tries = ? WHERE kind = ? AND id = ? AND due_at = ?", again.at, again.tries, ...place);
  }

  return {
    async schedule(kind, id, dueAt) {
      sql.exec(
        `CREATE TABLE IF NOT EXISTS due_work (
           kind TEXT NOT NULL, id TEXT NOT NULL, due_at INTEGER NOT NULL, tries INTEGER NOT NULL, PRIMARY KEY (kind, id)
         ) WITHOUT ROWID`,
      );
      sql.exec(
        "INSERT INTO due_work (kind, id, due_at, tries) VALUES (?1, ?2, ?3, 0) ON CONFLICT (kind, id) DO UPDATE SET due_at = ?3, tries = 0",
        kind,
        id,
        dueAt,
      );
      first = undefined;
      await wakeBy(dueAt);
    },
    has: (kind, id) => next() !== null && sql.exec("SELECT 1 FROM due_work WHERE kind = ? AND id = ?", kind, id).toArray().length > 0,
    cancel(kind, id) {
      if (next() === null) return;
      sql.exec("DELETE FROM due_work WHERE kind = ? AND id = ?", kind, id);
      first = undefined;
    },
    watch: (at) => storage.setAlarm(Math.min(at, next() ?? at)),
    wakeBy,
    rest() {
      const at = next();
      return at === null ? storage.deleteAlarm() : storage.setAlarm(at);
    },
    async run() {
      if (next() === null) return;
      const due = sql.exec<Due>("SELECT * FROM due_work WHERE due_at <= ? ORDER BY due_at LIMIT ?", Date.now(), A_RUN).toArray();
      for (const work of due) await doNow(work);
      const at = next();
      if (at !== null) await wakeBy(at);
    },
    forget() {
      first = undefined;
    },
  };
}

type Again = { at: number; tries: number };

/** When to do it again; what fails holds up nothing else. */
async function attempt(handler: Handler | undefined, { kind, id, tries }: Omit<Due, "due_at">): Promise<Again | null> {
  // A newer version knew of it: it waits for that.
  if (!handler) return { at: Date.now() + AGAIN_MAX_MS, tries };
  try {
    const at = await handler(id);
    return at === null ? null : { at, tries: 0 };
  } catch (cause) {
    log.error("work that was due failed and is tried again", { kind, id, tries, cause });
    return { at: Date.now() + Math.min(AGAIN_MS * 2 ** tries, AGAIN_MAX_MS), tries: tries + 1 };
  }
}

function hasTable(sql: SqlStorage): boolean {
  return sql.exec("SELECT 1 FROM sqlite_master WHERE name = 'due_work'").toArray().length > 0;
}
