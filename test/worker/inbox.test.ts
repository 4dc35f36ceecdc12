import { env } from "cloudflare:workers";
import { runInDurableObject } from "cloudflare:test";
import { expect, it } from "vitest";
import { type ChatView, listChats } from "#shared/contracts/chat/chats.ts";
import { countRows } from "#test/support/count-rows.ts";
import { countChats } from "#shared/contracts/chat/inbox.ts";
import { listedRow, type Seed, seedList } from "#test/support/seed-list.ts";
import { type Client, signIn } from "#test/support/worker.ts";

const HOUR = 60 * 60_000;
const MANY = 10_000;

/** All ids of a view, a page at a time. */
async function readAll(user: Client, view: ChatView, limit: number): Promise<string[]> {
  const ids: string[] = [];
  for (let cursor: string | undefined; ;) {
    const page = await user.take(listChats, { query: { view, limit, cursor } });
    ids.push(...page.chats.map(({ id }) => id));
    if (page.nextCursor === null) return ids;
    cursor = page.nextCursor;
  }
}

it("the views of the list show the inbox by group and then by time, each chat once, over pages of any size", async () => {
  const user = await signIn();
  const seeds: [string, Seed][] = [
    ["recent", { age: 1 * HOUR }],
    ["unread and pinned", { age: 3 * HOUR, unread: true, pinned: true }],
    ["old pinned", { age: 900 * HOUR, pinned: true }],
    ["pinned", { age: 2 * HOUR, pinned: true }],
    ["old", { age: 25 * HOUR }],
    ["archived, unread and pinned", { age: 1 * HOUR, unread: true, pinned: true, archived: true }],
    ["old unread", { age: 800 * HOUR, unread: true }],
    ["a little recent", { age: 23 * HOUR }],
  ];
  const ids = await seedList(
    user.user.id,
    seeds.map(([, seed]) => seed),
  );
  const nameOf = (id: string) => seeds[ids.indexOf(id)]?.[0];
  for (const limit of [1, 2, 3, 50]) {
    expect((await readAll(user, "inbox", limit)).map(nameOf)).toEqual([
      "unread and pinned",
      "old unread",
      "pinned",
      "old pinned",
      "recent",
      "a little recent",
    ]);
    expect((await readAll(user, "all", limit)).map(nameOf)).toEqual([
      "recent",
      "pinned",
      "unread and pinned",
      "a little recent",
      "old",
      "old unread",
      "old pinned",
    ]);
    expect((await readAll(user, "archived", limit)).map(nameOf)).toEqual(["archived, unread and pinned"]);
  }
  expect((await user.take(listChats, { query: { view: "archived" } })).unreadCount).toBe(2);
  const counts = await Promise.all((["inbox", "all", "archived"] as const).map((view) => user.take(countChats, { query: { view } })));
  expect(counts.map(({ count }) => count)).toEqual([6, 7, 1]);
});

it("the views of the list keep the order of chats of the same time over pages", async () => {
  const user = await signIn();
  const ids = await seedList(
    user.user.id,
    Array.from({ length: 7 }, () => ({ age: HOUR })),
  );
  const inOrder = ids.toSorted().toReversed();
  expect(await readAll(user, "all", 3)).toEqual(inOrder);
  expect(await readAll(user, "inbox", 3)).toEqual(inOrder);
});

it("the views of the list take archived chats out, and back in where they were", async () => {
  const user = await signIn();
  const [id = ""] = await seedList(user.user.id, [{ age: HOUR }]);
  const archived = async (isIt: boolean) => {
    const hub = env.USER_HUB.getByName(user.user.id);
    await hub.mark(id, { archived: isIt });
    return Promise.all((["all", "inbox", "archived"] as const).map((view) => readAll(user, view, 50)));
  };
  expect(await archived(true)).toEqual([[], [], [id]]);
  expect(await archived(false)).toEqual([[id], [id], []]);
});

it("the views of the list show of a chat what their contract lists and nothing else, in whatever writing", async () => {
  const user = await signIn();
  const title = 'Grüße, 世界 🎈 "quoted"\u2028\\';
  const [other = "", own = ""] = await seedList(user.user.id, [
    { age: HOUR, pinned: true, row: { title, lastSender: { id: crypto.randomUUID(), name: "Åsa" }, activity: { seq: 4, by: null } } },
    { age: 2 * HOUR, unread: true, row: { isWaiting: true, isShared: true, lastSender: { id: user.user.id, name: "Somebody" } } },
  ]);
  const response = await user.fetch("/api/chats");
  expect(response.headers.get("content-type")).toBe("application/json");
  const body: unknown = await response.json();
  // The contract takes what it does not know away.
  expect(body).toEqual(listChats.response?.parse(body));
  expect(body).toMatchObject({
    chats: [
      { id: other, title, lastMessageSender: "Åsa", isPinned: true, isRead: true, archived: false, isShared: false },
      { id: own, title: "Seeded", lastMessageSender: "You", isPinned: false, isRead: false, archived: false, isShared: true },
    ],
    nextCursor: null,
  });
});

it("the views of the list count unread chats anew whenever one changed", async () => {
  const user = await signIn();
  const ids = await seedList(
    user.user.id,
    Array.from({ length: 4 }, (_, n) => ({ age: n * HOUR, unread: n < 2 })),
  );
  const unread = async () => (await user.take(listChats, { query: { limit: 1 } })).unreadCount;
  expect(await unread()).toBe(2);
  const hub = env.USER_HUB.getByName(user.user.id);
  await hub.mark(ids[2] ?? "", { isRead: false });
  expect(await unread()).toBe(3);
  await hub.remove(ids[0] ?? "");
  expect(await unread()).toBe(2);
  await hub.bulk({ filter: { view: "all" }, action: "read" });
  expect(await unread()).toBe(0);
  await hub.receive({ row: listedRow(crypto.randomUUID(), { at: new Date().toISOString() }), version: 1, updates: [], charges: [] });
  expect(await unread()).toBe(1);
  await hub.purge();
  expect(await unread()).toBe(0);
  await seedList(
    user.user.id,
    Array.from({ length: 9 }, () => ({ age: HOUR, unread: true })),
  );
  expect(await unread()).toBe(9);
});

it("the views of the list read no more rows of 10,000 than a page needs, in whatever state they are", async () => {
  const spread = (n: number): Seed => ({ age: n * 60_000, unread: n % 3 === 0, pinned: n % 3 === 1, archived: n % 10 === 9 });
  const states: [string, (n: number) => Seed][] = [
    ["spread", spread],
    ["all unread and recent", (n) => ({ age: n, unread: true })],
    ["all pinned", (n) => ({ age: n * 60_000, pinned: true })],
    ["all old", (n) => ({ age: 1000 * HOUR + n })],
    ["all archived", (n) => ({ age: n, archived: true })],
  ];
  for (const [state, seedOf] of states) {
    const { user } = await signIn();
    await seedList(
      user.id,
      Array.from({ length: MANY }, (_, n) => seedOf(n)),
    );
    for (const view of ["inbox", "all", "archived"] as const) {
      const rows = await runInDurableObject(env.USER_HUB.getByName(user.id), async (hub, { storage }) => {
        const counted = countRows(storage.sql);
        let cursor: string | undefined;
        for (let pages = 0; pages < 3; pages += 1) {
          const page = listChats.response?.parse(JSON.parse(new TextDecoder().decode(await hub.list({ view, cursor, limit: 50 }))));
          if (!page?.nextCursor) break;
          cursor = page.nextCursor;
        }
        return counted().read;
      });
      // 51 rows over three pages, a few more where places meet, and up to 200 unread ones counted once.
      expect(rows, `${view} of ${state}`).toBeLessThan(3 * (51 + 5) + 210);
      expect(rows, `${view} of ${state}`).toBeGreaterThan(0);
    }
  }
});
