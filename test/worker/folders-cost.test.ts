import { env } from "cloudflare:workers";
import { runInDurableObject } from "cloudflare:test";
import { expect, it } from "vitest";
import { createFolder } from "#shared/contracts/folders.ts";
import { countRows } from "#test/support/count-rows.ts";
import { listedRow, seedList } from "#test/support/seed-list.ts";
import { signIn } from "#test/support/worker.ts";
import type { UserHubRpc } from "#worker/conversation/hub/rpc.ts";

const MANY = 1_000;
const MINUTE = 60_000;

/** A list of 1,000 chats, each fiftieth in the first of two folders; the others in the second and tagged, where all are `filed`. */
async function manyChats(isFiled: boolean) {
  const user = await signIn();
  const ids = await seedList(
    user.user.id,
    Array.from({ length: MANY }, (_, n) => ({ age: n * MINUTE, unread: n % 100 === 0 })),
  );
  const folders: string[] = [];
  for (const name of ["Few", "Most"]) folders.push((await user.take(createFolder, { body: { id: crypto.randomUUID(), name } })).folder.id);
  const hub = env.USER_HUB.getByName(user.user.id);
  if (isFiled) {
    const few = ids.filter((_, n) => n % 50 === 0);
    const most = ids.filter((_, n) => n % 50 !== 0);
    await hub.folders({ kind: "file", chats: { ids: few }, folderId: folders[0] ?? "" });
    await hub.folders({ kind: "file", chats: { ids: most }, folderId: folders[1] ?? "" });
    await hub.folders({ kind: "tag", chats: { ids: most }, add: ["Tag"], remove: [] });
  }
  /** The rows that are read and written by what a hub is asked. */
  const cost = (act: (hub: UserHubRpc) => Promise<unknown>) =>
    runInDurableObject(hub, async (object, { storage }) => {
      const counted = countRows(storage.sql);
      await act(object);
      return counted();
    });
  return { user, ids, folders, cost };
}

/** What SQLite does for each query of what a hub is asked. */
async function plans(userId: string, act: (hub: UserHubRpc) => Promise<unknown>): Promise<string[]> {
  return runInDurableObject(env.USER_HUB.getByName(userId), async (object, { storage }) => {
    const prototype = Object.getPrototypeOf(storage.sql);
    const real = prototype.exec;
    const asked: unknown[][] = [];
    prototype.exec = function recordExec(this: SqlStorage, ...args: unknown[]) {
      if (this === storage.sql) asked.push(args);
      return real.apply(this, args);
    };
    await act(object);
    prototype.exec = real;
    return asked
      .filter(([query]) => String(query).includes("chats"))
      .flatMap(([query, ...values]) =>
        Array.from(real.call(storage.sql, `EXPLAIN QUERY PLAN ${String(query)}`, ...values), (step: { detail: string }) => step.detail),
      );
  });
}

const ALL = { view: "all", workspace: "all", limit: 50 } as const;

it("folders and tags cost the list and its reports no row more, and a page of a folder no other chat's row", async () => {
  const [plain, filed] = [await manyChats(false), await manyChats(true)];
  const listed = (hub: UserHubRpc) => hub.list(ALL);
  expect(await filed.cost(listed)).toEqual(await plain.cost(listed));
  const report = (id: string) => async (hub: UserHubRpc) => {
    const row = listedRow("somebody", { id, at: new Date().toISOString(), row: { activity: { seq: 1, by: null } } });
    await hub.receive({ row, version: 2, updates: [], charges: [] });
  };
  const [before, after] = [await plain.cost(report(plain.ids[70] ?? "")), await filed.cost(report(filed.ids[70] ?? ""))];
  expect(after.written).toBe(before.written);
  // The folder's own row says which workspace it belongs to.
  expect(after.read).toBeLessThanOrEqual(before.read + 1);
  const [few = "", most = ""] = filed.folders;
  // As a workspace that shows few chats does, it walks the list's index, once; with many there it ends with the page.
  expect((await filed.cost((hub) => hub.list({ ...ALL, folder: few }))).read).toBeLessThan(MANY + 20);
  for (const subfolders of [false, true])
    expect((await filed.cost((hub) => hub.list({ ...ALL, folder: most, subfolders }))).read).toBeLessThan(90);
});

it("folders and tags are counted from the list's index once, and then from what changed", async () => {
  const { ids, folders, cost } = await manyChats(true);
  const answers: unknown[] = [];
  const counted = (hub: UserHubRpc) => hub.folders({ kind: "list" }).then((answer) => void answers.push(answer));
  expect((await cost(counted)).read).toBeLessThan(MANY + 20);
  expect((await cost(counted)).read).toBeLessThan(20);
  for (const marks of [{ isRead: false }, { archived: true }]) await cost((hub) => hub.mark(ids[50] ?? "", marks));
  await cost((hub) => hub.mark(ids[150] ?? "", { isRead: false }));
  await cost((hub) => hub.remove(ids[1] ?? ""));
  expect((await cost(counted)).read).toBeLessThan(30);
  await cost((hub) => hub.bulk({ filter: { view: "all" }, action: "unread" }));
  expect((await cost(counted)).read).toBeLessThan(MANY + 220);
  const numbers = (few: [number, number], most: [number, number]) => ({
    ok: true,
    value: {
      folders: [
        { id: folders[0], chat_count: few[0], unread_count: few[1] },
        { id: folders[1], chat_count: most[0], unread_count: most[1] },
      ],
      tags: [{ chat_count: most[0] }],
    },
  });
  expect(answers).toMatchObject([
    numbers([20, 10], [980, 0]),
    numbers([20, 10], [980, 0]),
    numbers([19, 11], [979, 0]),
    numbers([19, 19], [979, 979]),
  ]);
});

it("folders and tags are read by indexes, a folder with all that is below it too", async () => {
  const { user, folders } = await manyChats(true);
  const steps = await plans(user.user.id, (hub) => hub.list({ ...ALL, folder: folders[1] ?? "", subfolders: true }));
  expect(steps.filter((step) => /^(?:SCAN|SEARCH) (?:chats|folders)/.test(step))).toEqual(
    expect.arrayContaining([
      "SEARCH chats USING INDEX chats_by_place (place=? AND last_at>? AND (last_at,id)<(?,?))",
      "SEARCH folders USING COVERING INDEX folders_by_parent (parent_id=?)",
    ]),
  );
  await env.USER_HUB.getByName(user.user.id).bulk({ filter: { view: "all" }, action: "pin" });
  steps.push(...(await plans(user.user.id, (hub) => hub.folders({ kind: "list" }))));
  expect(steps).toContain("SEARCH chats USING INDEX chats_by_place (place=?)");
  expect(steps.filter((step) => /SCAN (?:chats|folders)/.test(step))).toEqual([]);
});
