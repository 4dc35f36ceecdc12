import { env } from "cloudflare:workers";
import { runInDurableObject } from "cloudflare:test";
import { afterEach, expect, it, vi } from "vitest";
import { createDueWork } from "#worker/platform/due-work/due-work.ts";

/** Far off, so no alarm comes by itself. */
const NOW = Date.UTC(2100, 0);
const MINUTE = 60_000;

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** An object's storage, what is done in it, and a clock of its own. */
async function inObject(act: (given: { storage: DurableObjectStorage; done: string[]; at: (ms: number) => void }) => Promise<void>) {
  vi.useFakeTimers({ toFake: ["Date"], now: NOW });
  await runInDurableObject(env.USER_HUB.getByName(crypto.randomUUID()), async (_, { storage }) => {
    await storage.deleteAlarm();
    await act({ storage, done: [], at: (ms) => vi.setSystemTime(NOW + ms) });
  });
}

it("Work is done when it is due and not before, once, and the alarm is the first one's", () =>
  inObject(async ({ storage, done, at }) => {
    const note = async (id: string) => (done.push(id), null);
    const due = createDueWork(storage, { note });
    await due.schedule("note", "late", NOW + 3 * MINUTE);
    await due.schedule("note", "soon", NOW + MINUTE);
    await due.schedule("note", "moved", NOW + MINUTE);
    await due.schedule("note", "moved", NOW + 2 * MINUTE);
    await due.schedule("note", "cancelled", NOW + MINUTE);
    due.cancel("note", "cancelled");
    expect(await storage.getAlarm()).toBe(NOW + MINUTE);
    await due.run();
    expect(done).toEqual([]);
    for (const [minutes, next] of [[1, 2] as const, [2, 3] as const, [3, null] as const]) {
      at(minutes * MINUTE);
      await storage.deleteAlarm();
      // What another life of the object noted.
      await createDueWork(storage, { note }).run();
      expect(await storage.getAlarm()).toBe(next === null ? null : NOW + next * MINUTE);
    }
    expect(done).toEqual(["soon", "moved", "late"]);
  }));

it("What an object waits for by itself takes no row, and neither of the two keeps the other waiting", () =>
  inObject(async ({ storage }) => {
    const due = createDueWork(storage, { note: async () => null });
    const tables = () => storage.sql.exec("SELECT 1 FROM sqlite_master WHERE name = 'due_work'").toArray().length;
    await due.watch(NOW + 5 * MINUTE);
    await due.watch(NOW + 6 * MINUTE);
    expect([await storage.getAlarm(), tables()]).toEqual([NOW + 6 * MINUTE, 0]);
    await due.wakeBy(NOW + 8 * MINUTE);
    expect(await storage.getAlarm()).toBe(NOW + 6 * MINUTE);
    await due.schedule("note", "one", NOW + 7 * MINUTE);
    expect(await storage.getAlarm()).toBe(NOW + 6 * MINUTE);
    await due.watch(NOW + 9 * MINUTE);
    expect(await storage.getAlarm()).toBe(NOW + 7 * MINUTE);
    await due.wakeBy(NOW + MINUTE);
    expect(await storage.getAlarm()).toBe(NOW + MINUTE);
    await due.rest();
    expect(await storage.getAlarm()).toBe(NOW + 7 * MINUTE);
    due.cancel("note", "one");
    await due.rest();
    expect(await storage.getAlarm()).toBeNull();
  }));

it("What fails is tried again later and later and holds up nothing, and work may say when it is due again", () =>
  inObject(async ({ storage, done, at }) => {
    vi.spyOn(console, "error").mockReturnValue();
    const due = createDueWork(storage, {
      broken: async () => {
        done.push("broken");
        throw new Error("Not now.");
      },
      each: async (id: string) => (done.push(id), Date.now() + 10 * MINUTE),
    });
    await due.schedule("broken", "a", NOW);
    await due.schedule("each", "b", NOW + 1);
    for (const [minutes, next] of [[1, 2] as const, [2, 4] as const, [4, 8] as const]) {
      at(minutes * MINUTE);
      await storage.deleteAlarm();
      await due.run();
      expect(await storage.getAlarm()).toBe(NOW + next * MINUTE);
    }
    expect(done).toEqual(["broken", "b", "broken", "broken"]);
    at(11 * MINUTE);
    await due.run();
    expect(done.slice(4)).toEqual(["broken", "b"]);
  }));
