import { env } from "cloudflare:workers";
import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { vi } from "vitest";
import { until } from "./until.ts";

/** What the platform bills of a turn; statements and calls help whoever has to lower their number. */
export type Costs = {
  /** Of the objects and the relational database; an alarm that is set counts as a row. */
  rowsWritten: number;
  rowsRead: number;
  /** Calls, fetches and alarms of objects. */
  objectRequests: number;
  calls: string[];
  statements: string[];
};

// What is counted are methods of any kind, taken from prototypes.
// oxlint-disable-next-line typescript/no-explicit-any
type Method = (this: unknown, ...args: unknown[]) => any;

/** Longer than any job of a room waits for its time. */
const LATER_MS = 10 * 60_000;

/**
 * Counts what all objects do while `act` runs and until the room has nothing left to do, its last alarm included.
 * Every object of a test runs in the test's own isolate, so prototypes taken from one are those of all.
 */
export async function countCosts({ chatId, userId }: { chatId: string; userId: string }, act: () => Promise<void>): Promise<Costs> {
  const room = env.CHAT_ROOM.getByName(chatId);
  const hub = env.USER_HUB.getByName(userId);
  const { storage, sql } = await runInDurableObject(room, (_, state) => ({
    storage: Object.getPrototypeOf(state.storage),
    sql: Object.getPrototypeOf(state.storage.sql),
  }));
  const plainExec = sql.exec;
  const cursors: { query: string; cursor: SqlStorageCursor<Record<string, SqlStorageValue>> }[] = [];
  const calls: string[] = [];
  let storageWritten = 0;
  let databaseRead = 0;
  let databaseWritten = 0;
  const statements: string[] = [];
  const restore: (() => void)[] = [];

  /** Puts a counting method before the real one. */
  function wrap(target: object, method: string, around: (real: Method, self: unknown, args: unknown[]) => unknown): void {
    const real: Method = Reflect.get(target, method);
    Reflect.set(target, method, function counted(this: unknown, ...args: unknown[]) {
      return around(real, this, args);
    });
    restore.push(() => Reflect.set(target, method, real));
  }

  wrap(sql, "exec", (real, self, args) => {
    const cursor = real.apply(self, args);
    cursors.push({ query: String(args[0]).replaceAll(/\s+/g, " ").trim().slice(0, 110), cursor });
    return cursor;
  });
  for (const method of ["setAlarm", "deleteAlarm", "put", "delete"]) {
    wrap(storage, method, (real, self, args) => {
      storageWritten += 1;
      statements.push(`1 written: ${method}`);
      return real.apply(self, args);
    });
  }
  for (const method of ["getByName", "get"]) {
    wrap(Object.getPrototypeOf(env.CHAT_ROOM), method, (real, self, args) => countingStub(real.apply(self, args), calls));
  }
  const statement = Object.getPrototypeOf(env.DB.prepare("SELECT 1"));
  const plainAll = statement.all;
  for (const method of ["all", "run", "first", "raw"]) {
    wrap(statement, method, async (real, self, args) => {
      const query = String(Reflect.get(Object(self), "statement"));
      // `raw` and `first` don't report what they read.
      const selected = /^select/i.test(query) ? await plainAll.call(self) : null;
      databaseRead += Number(selected?.meta.rows_read ?? 0);
      const answer = await real.apply(self, args);
      databaseWritten += selected ? 0 : Number(answer?.meta?.rows_written ?? 1);
      statements.push(`${selected ? `${selected.meta.rows_read} read` : "written"}: D1 ${query.slice(0, 110)}`);
      return answer;
    });
  }

  /** Lets all alarms come that are set, as if it were later. */
  async function runAlarms(): Promise<void> {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + LATER_MS });
    try {
      while (await runDurableObjectAlarm(room)) calls.push("room's alarm");
      // What is due on another day is no part of it.
      const due = await runInDurableObject(hub, (_, state) => state.storage.getAlarm());
      if (due !== null && due <= Date.now() && (await runDurableObjectAlarm(hub))) calls.push("hub's alarm");
    } finally {
      vi.useRealTimers();
    }
  }

  /** Waits until the room has nothing left to do, and does what it would do later. */
  async function comeToRest(): Promise<void> {
    await until("the room to have nothing left to do", () =>
      runInDurableObject(room, (_, state) => {
        const left = plainExec.call(
          state.storage.sql,
          "SELECT 1 FROM outbox UNION ALL SELECT 1 FROM charges UNION ALL SELECT 1 FROM chat WHERE turn IS NOT NULL",
        );
        return left.toArray().length === 0;
      }),
    );
    await runAlarms();
  }

  // Before the turn the chat is at rest, as after some time without one.
  await comeToRest();
  for (const list of [calls, cursors, statements]) list.length = 0;
  storageWritten = databaseRead = databaseWritten = 0;
  try {
    await act();
    await comeToRest();
  } finally {
    for (const undo of restore) undo();
  }
  for (const { query, cursor } of cursors) statements.push(`${cursor.rowsWritten} written, ${cursor.rowsRead} read: ${query}`);
  return {
    rowsWritten: cursors.reduce((sum, { cursor }) => sum + cursor.rowsWritten, storageWritten + databaseWritten),
    rowsRead: cursors.reduce((sum, { cursor }) => sum + cursor.rowsRead, databaseRead),
    objectRequests: calls.length,
    calls,
    statements,
  };
}

/** An object's stub whose calls are noted. */
function countingStub(stub: object, calls: string[]): object {
  return new Proxy(stub, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== "function" || typeof name === "symbol" || name === "constructor") return value;
      return (...args: unknown[]) => {
        calls.push(name);
        return Reflect.apply(value, target, args);
      };
    },
  });
}
