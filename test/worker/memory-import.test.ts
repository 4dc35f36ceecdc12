import { env } from "cloudflare:workers";
import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { afterEach, expect, it, vi } from "vitest";
import { createMemory, importMemories, listMemories } from "#shared/contracts/memories.ts";
import { updateUser } from "#shared/contracts/account/users.ts";
import { mailsTo } from "#test/support/mailbox.ts";
import { openTab } from "#test/support/live-tab.ts";
import { until } from "#test/support/until.ts";
import { type Client, signIn } from "#test/support/worker.ts";
import { importMemoriesJob } from "#worker/library/memories/import-memories.ts";
import { askMemory } from "#worker/library/memories/memories.ts";

afterEach(() => void vi.useRealTimers());

/** A word that no other fact has. */
const letters = () => Array.from(crypto.getRandomValues(new Uint8Array(30)), (byte) => String.fromCodePoint(97 + (byte % 26))).join("");

async function facts(client: Client) {
  return (await client.take(listMemories, {})).memories;
}

async function add(client: Client, text: string) {
  return (await client.take(createMemory, { body: { id: crypto.randomUUID(), text } })).memory;
}

it("an import adds one fact a line in the background, and reports what was added, there already and not kept", async () => {
  const user = await signIn();
  await add(user, "Lives in Berlin");
  const tab = await openTab(user);
  const text = ["- Lives in Berlin", "", "Founded a studio in 2014", "1. Wants prices net", "x".repeat(600), "Wants prices net.", ""].join(
    "\n",
  );
  // What the body says of who it is counts for nothing.
  const body = { userId: crypto.randomUUID(), isAuthenticated: true, text };
  expect((await user.take(importMemories, { body })).count).toBe(5);
  const done = await until("the report", async () =>
    tab.events.find((event) => event.type === "memory.import" && event.import.state === "done"),
  );
  expect(done).toMatchObject({ import: { total: 5, added: 2, duplicate: 2, failed: 1 } });
  expect((await facts(user)).map(({ text: said, origin }) => [said, origin])).toEqual([
    ["Lives in Berlin", "user"],
    ["Founded a studio in 2014", "import"],
    ["Wants prices net", "import"],
  ]);
});

it("an import ends nothing that was there before: both stay", async () => {
  const user = await signIn();
  for (const text of ["Lives in Berlin", "Has two cats"]) await add(user, text);
  const { id: importId } = await user.take(importMemories, { body: { text: "Lives in Munich\nHas three cats\nHas four cats" } });
  await importMemoriesJob.receive(env, { userId: user.user.id, importId }, 1);
  const listed = ["Lives in Berlin", "Has two cats", "Lives in Munich", "Has four cats"];
  expect((await facts(user)).map(({ text }) => text)).toEqual(listed);
});

it("an import goes on to its end while a newer one is added, and has 2,000 facts at most", async () => {
  const user = await signIn();
  const lines = (count: number) => Array.from({ length: count }, () => letters()).join("\n");
  const begin = (id: string, text: string) =>
    askMemory(env, user.user.id, { kind: "import", id, entries: text.split("\n"), isFromFile: false });
  const [first, second] = [crypto.randomUUID(), crypto.randomUUID()];
  await begin(first, lines(150));
  vi.useFakeTimers({ now: Date.now() + 1_000, toFake: ["Date"] });
  await begin(second, lines(20));
  vi.useRealTimers();
  for (const importId of [first, second]) await importMemoriesJob.receive(env, { userId: user.user.id, importId }, 1);
  expect(await facts(user)).toHaveLength(170);
  const answer = await user.call(importMemories, { body: { text: lines(2_001) } });
  expect(answer).toMatchObject({ status: 400, error: { error: "That list is too long: it may have 2,000 facts." } });
});

it("an import is reported by mail to who is away, once, with what became of it, also where it could not be done", async () => {
  const user = await signIn();
  await user.take(updateUser, { body: { notify_imports: true } });
  (await openTab(user)).close();
  const { id: importId } = await user.take(importMemories, { body: { text: "Lives in Porto\nLives in Porto\nKeeps bees" } });
  // The queue's own delivery is not waited for: the job may come more than once.
  await importMemoriesJob.receive(env, { userId: user.user.id, importId }, 1);
  await importMemoriesJob.receive(env, { userId: user.user.id, importId }, 2);
  const hub = env.USER_HUB.getByName(user.user.id);
  vi.useFakeTimers({ now: Date.now() + 3 * 60_000, toFake: ["Date"] });
  await runDurableObjectAlarm(hub);
  vi.useRealTimers();
  const listed = async () =>
    (await mailsTo(env.MAILBOX_SIMULATOR, user.email)).filter(({ subject }) => subject.includes("List of memories"));
  const [mail, ...more] = await listed();
  expect(more).toEqual([]);
  expect(mail?.subject).toBe("\u2018List of memories\u2019 was imported");
  expect(mail?.text).toContain("2 added, 1 duplicate, 0 failed.");
  expect(mail?.text).toContain("/?settings=memory");

  await runInDurableObject(hub, (_, { storage }) =>
    storage.sql.exec(
      "INSERT INTO memory_imports (id, at, total, added, duplicate, failed, entries) VALUES ('broken', '', 1, 0, 0, 0, '{')",
    ),
  );
  for (const attempt of [5, 6])
    await expect(importMemoriesJob.receive(env, { userId: user.user.id, importId: "broken" }, attempt)).rejects.toThrow("JSON");
  vi.useFakeTimers({ now: Date.now() + 2 * 60 * 60_000, toFake: ["Date"] });
  await runDurableObjectAlarm(hub);
  expect((await listed()).map(({ subject }) => subject)).toContain("\u2018List of memories\u2019 could not be imported");
});

it.each(["", "  \n\n ", "-\n* \n"])("an import of %j has no valid entries", async (text) => {
  const user = await signIn();
  const answer = await user.call(importMemories, { body: { text } });
  expect(answer).toMatchObject({ status: 400, error: { error: "No valid entries" } });
});
