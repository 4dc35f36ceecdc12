import { env } from "cloudflare:workers";
import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { afterEach, expect, it, vi } from "vitest";
import { getUsage } from "#shared/contracts/account/usage.ts";
import { createMemory, importMemories, listMemories, listMemoryHistory, updateMemory } from "#shared/contracts/memories.ts";
import { addFact, factsOf, save } from "#test/support/memories.ts";
import { startChatAndRead } from "#test/support/replies.ts";
import { until } from "#test/support/until.ts";
import { type Person, signIn } from "#test/support/worker.ts";
import { embedMissingFacts } from "#worker/library/memories/embed-missing-facts.ts";

afterEach(() => void vi.useRealTimers());

const MODEL = "openai/text-embedding-3-small";
/** They have three words of five in common: only by their meaning they are the same. */
const FACT = "Subscribes to newspapers about architecture";
const SAME = "Subscribed to newspaper about architectures";

const hubOf = ({ user }: Person) => env.USER_HUB.getByName(user.id);

/** What of a person's embeddings stands in their ledger. */
async function paidCalls(person: Person): Promise<number> {
  const { usage } = await person.take(getUsage, { query: { by: "model" } });
  return usage.find(({ key }) => key === MODEL)?.calls ?? 0;
}

async function setBalance(person: Person, micros: number): Promise<void> {
  // The sign-up's credits come before it.
  await person.take(getUsage, { query: { by: "model" } });
  await runInDurableObject(hubOf(person), (_, { storage }) =>
    storage.sql.exec(
      "INSERT INTO ledger (call_id, at, what, amount_micros, balance_micros) VALUES (?, ?, 'reply', 0, ?)",
      crypto.randomUUID(),
      new Date().toISOString(),
      micros,
    ),
  );
}

async function vectors(person: Person): Promise<{ memory_id: string; model: string }[]> {
  return runInDurableObject(hubOf(person), (_, { storage }) =>
    storage.sql.exec<{ memory_id: string; model: string }>("SELECT memory_id, model FROM memory_vectors ORDER BY memory_id").toArray(),
  );
}

it("facts of one meaning are kept once, whoever says them, at their person's expense", async () => {
  const user = await signIn();
  const first = await addFact(user, FACT);
  expect(await paidCalls(user)).toBe(1);
  const again = await user.take(createMemory, { body: { id: crypto.randomUUID(), text: SAME } });
  expect(again).toMatchObject({ is_new: false, memory: { id: first.id } });
  await startChatAndRead(user, save({ fact: SAME }));
  await user.take(importMemories, { body: { text: `${SAME}\nRuns a studio in Berlin` } });
  const done = await until("the import", async () => {
    const { last_import: last } = await user.take(listMemories, {});
    return last?.state === "done" ? last : null;
  });
  expect(done).toMatchObject({ added: 1, duplicate: 1, failed: 0 });
  expect((await factsOf(user)).map(({ text }) => text)).toEqual([FACT, "Runs a studio in Berlin"]);
});

it("facts of one meaning are found by an import too if older than meanings, but not if another line outdated them", async () => {
  const user = await signIn();
  await addFact(user, FACT);
  await runInDurableObject(hubOf(user), (_, { storage }) => storage.sql.exec("DELETE FROM memory_vectors"));
  const lines = [SAME, "The review is at 14:00 on Thursdays", "The review is at 15:30 on Thursdays", "The review is at 14:00 on Thursdays"];
  await user.take(importMemories, { body: { text: lines.join("\n") } });
  const done = await until("the import", async () => {
    const { last_import: last } = await user.take(listMemories, {});
    return last?.state === "done" ? last : null;
  });
  expect(done).toMatchObject({ added: 3, duplicate: 1, failed: 0 });
  expect((await factsOf(user)).map(({ text }) => text)).toEqual([FACT, "The review is at 14:00 on Thursdays"]);
});

it("facts of one meaning that differ in a number replace one another, the older kept as history; of two names both stay", async () => {
  const user = await signIn();
  await addFact(user, `${FACT} since 2014`);
  await addFact(user, `${SAME} since 2019`);
  const [now, ...more] = await factsOf(user);
  expect([now?.text, more]).toEqual([`${SAME} since 2019`, []]);
  const { versions } = await user.take(listMemoryHistory, { params: { id: now?.id ?? "" } });
  expect(versions).toMatchObject([{ text: `${FACT} since 2014`, why: "replaced" }]);
  await addFact(user, "Subscribes to newspapers about architecture from Mila");
  await addFact(user, "Subscribed to newspaper about architectures from Greta");
  expect(await factsOf(user)).toHaveLength(3);
  // However near they are, a word is enough to distinguish them.
  await addFact(user, "Drinks a cup of green tea every morning before work");
  await addFact(user, "Drinks a cup of black tea every morning before work");
  expect(await factsOf(user)).toHaveLength(5);
});

it("what has no meaning yet gets it in the background: facts that were changed, and all of them by another model", async () => {
  const user = await signIn();
  const fact = await addFact(user, FACT);
  expect(await vectors(user)).toEqual([{ memory_id: fact.id, model: MODEL }]);
  await user.take(updateMemory, { params: { id: fact.id }, body: { text: "Likes tea" } });
  expect(await vectors(user)).toEqual([]);
  vi.useFakeTimers({ now: Date.now() + 10_000, toFake: ["Date"] });
  await runDurableObjectAlarm(hubOf(user));
  vi.useRealTimers();
  await until("the embedding", async () => (await vectors(user)).length === 1);
  await runInDurableObject(hubOf(user), (_, { storage }) => storage.sql.exec("UPDATE memory_vectors SET model = 'an/earlier-one'"));
  await user.take(listMemories, {});
  vi.useFakeTimers({ now: Date.now() + 10_000, toFake: ["Date"] });
  await runDurableObjectAlarm(hubOf(user));
  vi.useRealTimers();
  await until("the new embedding", async () => (await vectors(user))[0]?.model === MODEL);
});

it("what has no meaning yet waits for credit and says so, while facts are saved by their words", async () => {
  const user = await signIn();
  await setBalance(user, 0);
  await addFact(user, FACT);
  expect((await addFact(user, `${FACT}!`)).text).toBe(FACT);
  await embedMissingFacts(env, user.user.id);
  expect(await vectors(user)).toEqual([]);
  expect((await user.take(listMemories, {})).waits_for_credit).toBe(true);
  await setBalance(user, 1_000_000);
  await embedMissingFacts(env, user.user.id);
  expect(await vectors(user)).toHaveLength(1);
  expect((await user.take(listMemories, {})).waits_for_credit).toBe(false);
});
