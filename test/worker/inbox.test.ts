import { env } from "cloudflare:workers";
import { runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { type ChatView, listChats } from "#shared/contracts/chats.ts";
import { countRows } from "#test/support/count-rows.ts";
import { countChats } from "#shared/contracts/inbox.ts";
import { type Seed, seedList } from "#test/support/seed-list.ts";
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

describe("the views of the list", () => {
  it("show the inbox by group and then by time, each chat once, over pages of any size", async () => {
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

  it("keep the order of chats of the same time over pages", async () => {
    const user = await signIn();
    const ids = await seedList(
      user.user.id,
      Array.from({ length: 7 }, () => ({ age: HOUR })),
    );
    const inOrder = ids.toSorted().toReversed();
    expect(await readAll(user, "all", 3)).toEqual(inOrder);
    expect(await readAll(user, "inbox", 3)).toEqual(inOrder);
  });

  it("take archived chats out, and back in where they were", async () => {
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

  it("read no more rows of 10,000 than a page needs, in whatever state they are", async () => {
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
            const page = await hub.list({ view, cursor, limit: 50 });
            if (page.nextCursor === null) break;
            cursor = page.nextCursor;
          }
          return counted().read;
        });
        // Three places of 51 rows, up to 200 unread ones counted, over three pages.
        expect(rows, `${view} of ${state}`).toBeLessThan(3 * (3 * 51 * 2 + 210));
        expect(rows, `${view} of ${state}`).toBeGreaterThan(0);
      }
    }
  });
});
