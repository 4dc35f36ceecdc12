import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, expect, test, vi } from "vitest";
import { MODEL_LIST_CACHE_MS } from "#shared/limits.ts";
import { visit } from "#test/support/worker.ts";
import { loadModelList } from "#worker/people/models/model-list.ts";

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** How often the aggregator is asked for its list from now on. */
function asked(): () => number {
  const fetched = vi.spyOn(globalThis, "fetch");
  return () => fetched.mock.calls.filter(([input]) => input === `${env.AGGREGATOR_URL}/models`).length;
}

const forgetEdgeCopy = () => caches.default.delete(`https://model-list.invalid/?of=${encodeURIComponent(env.AGGREGATOR_URL ?? "")}`);

test("requests that come together to a Worker without a list share one question to the aggregator", async () => {
  await forgetEdgeCopy();
  const count = asked();
  const answers = await Promise.all(Array.from({ length: 8 }, () => visit("/api/models")));
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
  expect(new Set(await Promise.all(answers.map((answer) => answer.text()))).size).toBe(1);
  expect(count()).toBe(1);
});

test("objects that ask together for a list that is over share one question too, and none waits for another's promise", async () => {
  const before = await loadModelList(env);
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + MODEL_LIST_CACHE_MS + 1 });
  const count = asked();
  const rooms = Array.from({ length: 4 }, () => env.CHAT_ROOM.getByName(crypto.randomUUID()));
  const answers = await Promise.all(rooms.map((room) => runInDurableObject(room, () => loadModelList(env))));
  expect(answers.map(({ stale }) => stale)).toEqual([false, false, false, false]);
  expect(new Set(answers.map(({ list }) => list.at)).size).toBe(1);
  expect(answers[0]?.list.at).toBeGreaterThan(before.list.at);
  expect(count()).toBe(1);
});
