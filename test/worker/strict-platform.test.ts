import { createExecutionContext, createMessageBatch, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { getChat } from "#shared/contracts/chat/chats.ts";
import { startChatAndRead } from "#test/support/replies.ts";
import { endInNextCall, setOwnOptions, strictBindings } from "#test/support/strict/calls.ts";
import { beginInvocation, count, type Invocation, runIn } from "#test/support/strict/invocation.ts";
import { strictHandlers } from "#test/support/strict/platform.ts";
import { checkRows } from "#test/support/strict/rows.ts";
import { takeViolations } from "#test/support/strict/violations.ts";
import { signIn } from "#test/support/worker.ts";

const MB = 1_000_000;

function invocation(): Invocation {
  return beginInvocation("request", "GET /", { isRepeatable: false });
}

/** What is noted of the Worker while `act` runs. */
async function violations(act: () => unknown): Promise<string[]> {
  await Promise.resolve()
    .then(act)
    .catch(() => undefined);
  return takeViolations();
}

beforeEach(() => {
  setOwnOptions({ evict: 0 });
  vi.spyOn(console, "error").mockImplementation(() => undefined);
});
afterEach(() => vi.restoreAllMocks());

it("what fails a run on the strict platform is a binding that it does not know", async () => {
  expect(await violations(() => strictBindings({ ...env, ARCHIVE: env.FILES }))).toEqual([expect.stringContaining("ARCHIVE is not known")]);
});

it("what fails a run on the strict platform is a method of a binding that it does not count", async () => {
  const { DB } = strictBindings({ DB: env.DB });
  expect(await violations(() => runIn(invocation(), () => DB.dump()))).toEqual([expect.stringContaining("D1Database.dump")]);
});

it("what fails a run on the strict platform is a call outside of any invocation", async () => {
  const { DB } = strictBindings({ DB: env.DB });
  expect(await violations(() => DB.prepare("SELECT 1").run())).toEqual([expect.stringContaining("SELECT 1 is asked outside")]);
});

it("what fails a run on the strict platform is the query after a thousand of one invocation", async () => {
  const { DB } = strictBindings({ DB: env.DB });
  const hundred = Array.from({ length: 100 }, () => DB.prepare("SELECT 1"));
  const within = invocation();
  for (let asked = 0; asked < 1_000; asked += 100) await runIn(within, () => DB.batch(hundred));
  expect(takeViolations()).toEqual([]);
  expect(await violations(() => runIn(within, () => DB.prepare("SELECT 2").first()))).toEqual([
    expect.stringContaining("more than 1000 queries"),
  ]);
});

it("what fails a run on the strict platform is the subrequest after ten thousand of one invocation", async () => {
  const within = invocation();
  const call = { to: "object" as const, what: "ChatRoom.describe", queries: 0, isConnection: false };
  for (let asked = 0; asked < 10_000; asked += 1) count(within, call);
  expect(await violations(() => count(within, call))).toEqual([expect.stringContaining("more than 10000 subrequests")]);
});

it("what fails a run on the strict platform is what a queue does not take: a message, a batch, or a delay that is too large", async () => {
  const { JOBS } = strictBindings({ JOBS: env.JOBS });
  const message = (bytes: number) => ({ body: { kind: "none", text: "x".repeat(bytes) } });
  const ask = (act: () => unknown) => violations(() => runIn(invocation(), act));
  expect(await ask(() => JOBS.send(message(128_000).body))).toEqual([expect.stringContaining("no message of")]);
  expect(await ask(() => JOBS.sendBatch([message(100_000), message(100_000), message(100_000)]))).toEqual([
    expect.stringContaining("no batch of 300"),
  ]);
  expect(await ask(() => JOBS.sendBatch(Array.from({ length: 101 }, () => message(1))))).toEqual([expect.stringContaining("101 messages")]);
  expect(await ask(() => JOBS.send(message(1).body, { delaySeconds: 43_201 }))).toEqual([expect.stringContaining("43200 seconds")]);
});

it("what fails a run on the strict platform is a row over 2 MB in an object's storage, or a value", async () => {
  const room = env.CHAT_ROOM.getByName(crypto.randomUUID());
  const found = await runInDurableObject(room, (_, { storage: { sql } }) => {
    sql.exec("CREATE TABLE notes (id INTEGER PRIMARY KEY, one TEXT, two TEXT)");
    sql.exec("INSERT INTO notes (one, two) VALUES (?, ?)", "x".repeat(1.5 * MB), "y".repeat(0.4 * MB));
    checkRows("a call", sql);
    const small = takeViolations();
    sql.exec("UPDATE notes SET two = two || ?", "y".repeat(0.4 * MB));
    checkRows("another call", sql);
    const large = takeViolations();
    expect(() => sql.exec("INSERT INTO notes (one) VALUES (?)", "x".repeat(2.1 * MB))).toThrow(/SQLITE_TOOBIG/);
    return { small, large, value: takeViolations() };
  });
  expect(found).toEqual({
    small: [],
    large: [expect.stringContaining("notes: 2300001 bytes")],
    value: [expect.stringContaining("2100000 bytes is too big")],
  });
});

it("the strict platform counts what a stream asks for while it is read in the invocation that made it", async () => {
  const { DB } = strictBindings({ DB: env.DB });
  const within = invocation();
  const made = runIn(
    within,
    () =>
      new ReadableStream<unknown>(
        {
          async pull(controller) {
            controller.enqueue(await DB.prepare("SELECT 3 AS n").first("n"));
            controller.close();
          },
        },
        { highWaterMark: 0 },
      ),
  );
  expect((await made.getReader().read()).value).toBe(3);
  expect(within).toMatchObject({ queries: 1 });
});

it("the strict platform has at most six connections of an invocation wait for their answers, and the others wait for those", async () => {
  const { FILES } = strictBindings({ FILES: env.FILES });
  const within = invocation();
  const asked = runIn(within, () => Promise.all(Array.from({ length: 10 }, () => FILES.head("none"))));
  await vi.waitFor(() => expect(within.open).toBe(6));
  expect(await asked).toEqual(Array.from({ length: 10 }, () => null));
  expect(within).toMatchObject({ open: 0, connectionWaits: 4, subrequests: 10 });
});

it("the strict platform ends an object in the middle of a call, and whoever asked for it asks again", async () => {
  const person = await signIn();
  const { chatId } = await startChatAndRead(person, "say something");
  const room = env.CHAT_ROOM.getByName(chatId);
  const before = await runInDurableObject(room, (instance) => instance);
  setOwnOptions({ evict: 0, evictFollowed: true });
  endInNextCall(String(room.id));
  const { chat } = await person.take(getChat, { params: { id: chatId } });
  expect(chat.id).toBe(chatId);
  const after = await runInDurableObject(env.CHAT_ROOM.getByName(chatId), (instance) => instance);
  expect(after).not.toBe(before);
});

it("the strict platform delivers a batch twice and the other way round, as if the first delivery's acknowledgements were lost", async () => {
  setOwnOptions({ twice: 1 });
  const came: string[] = [];
  const { queue } = strictHandlers({
    fetch: () => new Response(),
    email: () => undefined,
    scheduled: () => undefined,
    queue(batch) {
      for (const message of batch.messages) {
        came.push(`${message.id} ${message.attempts}`);
        message.ack();
      }
    },
  });
  const messages = ["one", "two"].map((id) => ({ id, timestamp: new Date(), attempts: 1, body: { kind: "none" } }));
  await queue(createMessageBatch("polylogue-jobs", messages), env, createExecutionContext());
  expect(came).toEqual(["two 1", "one 1", "two 2", "one 2"]);
});
