import { env } from "cloudflare:workers";
import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { afterEach, describe, expect, it, vi } from "vitest";
import { createChat, getChat, listChats, updateChat } from "#shared/contracts/chat/chats.ts";
import { type BulkAction, changeChats, countChats } from "#shared/contracts/chat/inbox.ts";
import { UNDO_MS } from "#shared/limits.ts";
import type { LiveEvent } from "#shared/live-events.ts";
import { openTab } from "#test/support/live-tab.ts";
import { listedRow, type Seed, seedList } from "#test/support/seed-list.ts";
import { until } from "#test/support/until.ts";
import { type Client, signIn } from "#test/support/worker.ts";
import { deleteManyJob } from "#worker/conversation/chats/delete-many.ts";

const HOUR = 60 * 60_000;

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** A list's chats by id, all views together. */
async function readMarks(user: Client) {
  const marks = new Map<string, string>();
  for (const view of ["all", "archived"] as const) {
    for (let cursor: string | undefined; ;) {
      const { chats, nextCursor } = await user.take(listChats, { query: { view, cursor, limit: 100 } });
      for (const { id, isRead, isPinned, archived } of chats) {
        marks.set(id, [isRead ? "" : "unread", isPinned ? "pinned" : "", archived ? "archived" : ""].join(""));
      }
      if (nextCursor === null) break;
      cursor = nextCursor;
    }
  }
  return marks;
}

const SHARED: Seed = { age: HOUR, row: { isShared: true, permissionLevel: "editor", user_id: crypto.randomUUID() } };

describe("marks on chosen chats", () => {
  const CASES: [BulkAction, Seed, string][] = [
    ["read", { age: HOUR, unread: true }, ""],
    ["unread", { age: HOUR }, "unread"],
    ["pin", { age: HOUR }, "pinned"],
    ["unpin", { age: HOUR, pinned: true }, ""],
    ["archive", { age: HOUR, unread: true }, "unreadarchived"],
    ["unarchive", { age: HOUR, archived: true }, ""],
  ];

  it.each(CASES)("marks on chosen chats: %s is set, sent to every tab, and taken back", async (action, seed, after) => {
    const user = await signIn();
    const [id = "", already = ""] = await seedList(user.user.id, [seed, seed]);
    const before = await readMarks(user);
    await user.take(changeChats, { body: { ids: [already], action } });
    const tab = await openTab(user);
    const unknown = crypto.randomUUID();
    const answer = await user.take(changeChats, { body: { ids: [id, already, unknown], action } });
    expect(answer).toMatchObject({
      results: [
        { id, ok: true },
        { id: already, ok: true },
        { id: unknown, ok: false, code: "NOT_FOUND", reason: "Not found." },
      ],
      changed: 1,
      refused: 1,
      job_id: null,
    });
    expect((await readMarks(user)).get(id)).toBe(after);
    await until("the change", () => tab.events.some((event) => event.type === "chat.changed" && event.chat.id === id));
    const undo = answer.undo_token ?? "";
    expect(await user.take(changeChats, { body: { undo } })).toMatchObject({ changed: 1, undo_token: null });
    expect((await readMarks(user)).get(id)).toBe(before.get(id));
    expect((await readMarks(user)).get(already)).toBe(after);
    expect((await user.take(changeChats, { body: { undo } })).changed).toBe(0);
  });

  it("marks on chosen chats leave shared chats out of the archive and say why, alone and among others", async () => {
    const user = await signIn();
    const [own = "", shared = "", sharing = ""] = await seedList(user.user.id, [
      { age: HOUR },
      SHARED,
      { age: HOUR, row: { hasBeenShared: true } },
    ]);
    const refused = { ok: false, code: "SHARED_NOT_ARCHIVED", reason: "Shared chats can't be archived." };
    const answer = await user.take(changeChats, { body: { ids: [own, shared, sharing], action: "archive" } });
    expect(answer.results).toEqual([
      { id: own, ok: true },
      { id: shared, ...refused },
      { id: sharing, ...refused },
    ]);
    const all = await user.take(changeChats, { body: { filter: { view: "all" }, action: "archive" } });
    expect(all).toMatchObject({ changed: 0, refused: 2, undo_token: null });
    expect(all.results).toHaveLength(2);
    const { chat } = await user.take(createChat, { body: { title: "Both" } });
    const hub = env.USER_HUB.getByName(user.user.id);
    const row = { ...listedRow(user.user.id, { id: chat.id, at: chat.created_at }), hasBeenShared: true };
    await hub.receive({ row, version: 1_000, updates: [], charges: [] });
    const patch = { params: { id: chat.id }, body: { archived: true, title: "Not even this" } };
    expect(await user.call(updateChat, patch)).toMatchObject({ status: 409, error: { code: "SHARED_NOT_ARCHIVED" } });
    expect((await user.take(getChat, { params: { id: chat.id } })).chat).toMatchObject({ archived: false, title: "Both" });
  });

  it("marks on chosen chats take at most 100 ids, and their Undo ends", async () => {
    const user = await signIn();
    const ids = Array.from({ length: 101 }, () => crypto.randomUUID());
    const refusal = (error: string) => ({ status: 400, error: { code: "INVALID_INPUT", error } });
    expect(await user.call(changeChats, { body: { ids, action: "read" } })).toMatchObject(refusal("At most 100 chats at once."));
    expect(await user.call(changeChats, { body: { ids: [], action: "read" } })).toMatchObject(refusal("Choose at least one chat."));
    const [id = ""] = await seedList(user.user.id, [{ age: HOUR }]);
    const { undo_token: undo } = await user.take(changeChats, { body: { ids: [id], action: "pin" } });
    const other = await signIn();
    expect(await other.call(changeChats, { body: { undo: undo ?? "" } })).toMatchObject({ status: 409 });
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + UNDO_MS });
    expect(await user.call(changeChats, { body: { undo: undo ?? "" } })).toMatchObject({ status: 409, error: { code: "UNDO_EXPIRED" } });
    expect((await readMarks(user)).get(id)).toBe("pinned");
  });
});

it("marks on all of a view change 1,240 chats at once, have tabs read again, and are taken back", async () => {
  const user = await signIn();
  const seeds = Array.from({ length: 1_240 }, (_, n): Seed => ({ age: n * HOUR, unread: n % 2 === 0, pinned: n % 5 === 0 }));
  await seedList(user.user.id, [...seeds, { age: HOUR, unread: true, archived: true }]);
  const before = await readMarks(user);
  const away = await openTab(user);
  away.close();
  const tab = await openTab(user);
  expect(await user.take(countChats, { query: { view: "all" } })).toEqual({ count: 1_240 });
  const answer = await user.take(changeChats, { body: { filter: { view: "all" }, action: "read" } });
  expect(answer).toMatchObject({ results: [], changed: 620, refused: 0 });
  await until("word of it", () => tab.events.some(({ type }) => type === "chats.changed"));
  expect(tab.events.filter(({ type }) => type === "chat.changed")).toEqual([]);
  expect((await openTab(user, away.hello.cursor)).hello).toMatchObject({ reset: true });
  expect([...(await readMarks(user)).values()].filter((marks) => marks.startsWith("unread"))).toEqual(["unreadarchived"]);
  expect(await user.take(changeChats, { body: { undo: answer.undo_token ?? "" } })).toMatchObject({ changed: 620 });
  expect(await readMarks(user)).toEqual(before);
});

it("marks on all of a view keep to what the inbox shows", async () => {
  const user = await signIn();
  const [recent = "", old = ""] = await seedList(user.user.id, [{ age: HOUR }, { age: 30 * HOUR }]);
  const answer = await user.take(changeChats, { body: { filter: { view: "inbox" }, action: "archive" } });
  expect(answer).toMatchObject({ changed: 1, refused: 0 });
  expect(await readMarks(user)).toEqual(
    new Map([
      [old, ""],
      [recent, "archived"],
    ]),
  );
});

describe("a deletion of many chats", () => {
  const progressOf = (events: LiveEvent[]) => events.flatMap((event) => (event.type === "bulk.progress" ? [event] : []));

  it("a deletion of many chats takes them off the list at once and empties them one by one, however often its job comes", async () => {
    const user = await signIn();
    const ids = await Promise.all(Array.from({ length: 12 }, async () => (await user.take(createChat, { body: {} })).chat.id));
    const [shared = ""] = await seedList(user.user.id, [SHARED]);
    await until("all in the list", async () => (await user.take(countChats, {})).count === 13);
    const tab = await openTab(user);
    const answer = await user.take(changeChats, { body: { ids: [...ids, shared], action: "delete" } });
    expect(answer).toMatchObject({ changed: 12, refused: 1, undo_token: null });
    expect(answer.results.at(-1)).toEqual({ id: shared, ok: false, code: "FORBIDDEN", reason: "Only its owner can delete a chat." });
    expect((await user.take(listChats, {})).chats.map(({ id }) => id)).toEqual([shared]);
    const again = await user.take(changeChats, { body: { ids, action: "delete" } });
    expect(again).toMatchObject({ changed: 0, refused: 0, job_id: null });
    const job = { userId: user.user.id, jobId: answer.job_id ?? "" };
    await Promise.all([deleteManyJob.receive(env, job, 1), deleteManyJob.receive(env, job, 1)]);
    await deleteManyJob.receive(env, job, 1);
    await until("its end", () => progressOf(tab.events).some(({ done }) => done === 12));
    const progress = progressOf(tab.events);
    expect(new Set(progress.map(({ job_id: id, total, failed }) => `${id} ${total} ${failed}`))).toEqual(new Set([`${job.jobId} 12 0`]));
    expect(progress.map(({ done }) => done)).toEqual(progress.map(({ done }) => done).toSorted((a, b) => a - b));
    expect(tab.events.filter(({ type }) => type === "chat.deleted")).toHaveLength(12);
    for (const id of ids) expect(await user.call(getChat, { params: { id } })).toMatchObject({ status: 404 });
    expect((await user.take(listChats, {})).chats.map(({ id }) => id)).toEqual([shared]);
  });

  it("a deletion of many chats gives back what could not be deleted, and goes on with the rest", async () => {
    const user = await signIn();
    const { chat } = await user.take(createChat, { body: {} });
    // No chat stands behind these rows: the truth refuses what the list allowed.
    const [first = "", second = ""] = await seedList(user.user.id, [{ age: HOUR }, { age: 2 * HOUR }]);
    await until("all in the list", async () => (await user.take(countChats, {})).count === 3);
    const tab = await openTab(user);
    const answer = await user.take(changeChats, { body: { filter: { view: "all" }, action: "delete" } });
    expect(answer).toMatchObject({ changed: 3, refused: 0, results: [] });
    await deleteManyJob.receive(env, { userId: user.user.id, jobId: answer.job_id ?? "" }, 1);
    await until("its end", () => progressOf(tab.events).some(({ done, failed }) => done === 1 && failed === 2));
    expect((await user.take(listChats, {})).chats.map(({ id }) => id)).toEqual([first, second]);
    expect(await user.call(getChat, { params: { id: chat.id } })).toMatchObject({ status: 404 });
    const back = tab.events.flatMap((event) => (event.type === "chat.changed" ? [event.chat.id] : []));
    expect(new Set(back)).toEqual(new Set([first, second]));
  });

  it("a deletion of many chats whose job was lost is taken up by itself, once, and leaves nothing to be done when it is over", async () => {
    const user = await signIn();
    const { chat } = await user.take(createChat, { body: {} });
    await until("the chat in the list", async () => (await user.take(countChats, {})).count === 1);
    const hub = env.USER_HUB.getByName(user.user.id);
    const sent: unknown[] = [];
    const send = vi.spyOn(env.JOBS, "send").mockImplementation(async (body) => {
      if ("userId" in body && body.userId === user.user.id) sent.push(body);
      return { metadata: { metrics: { backlogCount: 0, backlogBytes: 0 } } };
    });
    const { job_id: jobId } = await user.take(changeChats, { body: { ids: [chat.id], action: "delete" } });
    const alarmOf = () => runInDurableObject(hub, (_, { storage }) => storage.getAlarm());
    expect(await alarmOf()).toBeGreaterThan(Date.now());
    // Before its time nothing is lost.
    await runDurableObjectAlarm(hub);
    expect(sent).toHaveLength(1);
    for (const hours of [1, 2]) {
      vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + HOUR });
      await runDurableObjectAlarm(hub);
      expect(sent).toHaveLength(1 + hours);
    }
    send.mockRestore();
    await deleteManyJob.receive(env, { userId: user.user.id, jobId: jobId ?? "" }, 1);
    expect(await user.call(getChat, { params: { id: chat.id } })).toMatchObject({ status: 404 });
    const left = (_: unknown, { storage }: DurableObjectState) => storage.sql.exec("SELECT * FROM due_work").toArray();
    expect(await runInDurableObject(hub, left)).toEqual([]);
  });

  it("a deletion of many chats whose job was lost is taken up when a tab comes, and whose chat fails again and again gives it back", async () => {
    const user = await signIn();
    const { chat } = await user.take(createChat, { body: {} });
    await until("the chat in the list", async () => (await user.take(countChats, {})).count === 1);
    const hub = env.USER_HUB.getByName(user.user.id);
    const sent: unknown[] = [];
    const send = vi.spyOn(env.JOBS, "send").mockImplementation(async (body) => {
      // Other tests' jobs are none of these.
      if ("userId" in body && body.userId === user.user.id) sent.push(body);
      return { metadata: { metrics: { backlogCount: 0, backlogBytes: 0 } } };
    });
    const { job_id: jobId } = await user.take(changeChats, { body: { ids: [chat.id], action: "delete" } });
    await openTab(user);
    expect(sent).toHaveLength(1);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + HOUR });
    await openTab(user);
    await until("the job again", () => sent.length === 2);
    expect(sent[1]).toEqual({ kind: "chats.delete", userId: user.user.id, jobId });
    send.mockRestore();
    await user.take(updateChat, { params: { id: chat.id }, body: { title: "Renamed meanwhile" } });
    for (let tries = 0; tries < 3; tries += 1) {
      expect(await hub.nextDoomed(jobId ?? "", 10)).toEqual([chat.id]);
      expect(await hub.find(chat.id)).toBeNull();
      await hub.settleDoomed(jobId ?? "", { done: [], failed: [chat.id], refused: [] });
    }
    expect(await hub.nextDoomed(jobId ?? "", 10)).toEqual([]);
    // As its room has it by now: what it reported meanwhile was not taken.
    await until("the chat as it is", async () => (await env.USER_HUB.getByName(user.user.id).find(chat.id))?.title === "Renamed meanwhile");
  });
});
