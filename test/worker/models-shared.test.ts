import { env } from "cloudflare:workers";
import { expect, test, vi } from "vitest";
import { visit } from "#test/support/worker.ts";

test("requests that come together to a Worker without a list share one question to the aggregator", async () => {
  await caches.default.delete(`https://model-list.invalid/?of=${encodeURIComponent(env.AGGREGATOR_URL ?? "")}`);
  const asked = vi.spyOn(globalThis, "fetch");
  const answers = await Promise.all(Array.from({ length: 8 }, () => visit("/api/models")));
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
  expect(new Set(await Promise.all(answers.map((answer) => answer.text()))).size).toBe(1);
  expect(asked.mock.calls.filter(([input]) => input === `${env.AGGREGATOR_URL}/models`)).toHaveLength(1);
});
