import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, expect, it, vi } from "vitest";
import { canary } from "#test/support/canaries.ts";
import { visitWith } from "#test/support/sign-in.ts";
import { visit } from "#test/support/worker.ts";

const PATH = "/api/deployment/turn";
const DAY = 24 * 60 * 60_000;
const MINE = { method: "POST", headers: { authorization: `Bearer ${canary("DEPLOYMENT_SECRET")}` } };

/** Far from the days of other tests. */
let lastDay = Math.floor(Date.now() / DAY) + 30_000;

/** A day of its own, later than those before it: what the house paid in it, and turns that no other test counts. */
function newDay() {
  lastDay += 1;
  const day = lastDay;
  vi.useFakeTimers({ toFake: ["Date"], now: (day + 0.5) * DAY });
  const house = env.RATE_LIMITER.getByName(`guest-dollars:${new Date(day * DAY).toISOString().slice(0, 10)}`);
  const until = (day + 2) * DAY;
  return {
    takeAll: () => house.pay([{ callId: "guests", micros: 1_000_000_000_000, ended: null }], until),
    paid: () =>
      runInDurableObject(house, (_, { storage }) =>
        storage.sql
          .exec<{ call_id: string; micros: number }>("SELECT call_id, micros FROM paid WHERE call_id LIKE '%deployment:%'")
          .toArray(),
      ),
  };
}

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

it("the turn of a deployment is answered by the cheapest model, paid by the house, also on a day whose amount is used up", async () => {
  const { takeAll, paid } = newDay();
  await takeAll();
  const answer = await visitWith({ VERSION: "abc123" }, PATH, MINE);
  expect(await answer.json()).toEqual({ version: "abc123", model: expect.any(String), text: expect.stringMatching(/\S/) });
  expect(answer.headers.get("cache-control")).toBe("no-store");
  expect(await paid()).toEqual([{ call_id: expect.stringContaining("deployment:"), micros: expect.any(Number) }]);
  expect((await paid())[0]?.micros).toBeGreaterThan(0);
});

it("the turn of a deployment is not there without a secret of the deployment, and refused to whoever shows another", async () => {
  const events: string[] = [];
  vi.spyOn(console, "info").mockImplementation((line: string) => void events.push(line));
  expect((await visitWith({ DEPLOYMENT_SECRET: undefined }, PATH, MINE)).status).toBe(404);
  for (const authorization of ["", "Bearer", `Bearer ${canary("DEPLOYMENT_SECRET")}x`, canary("DEPLOYMENT_SECRET")]) {
    const answer = await visit(PATH, { method: "POST", headers: authorization === "" ? {} : { authorization } });
    expect({ authorization, status: answer.status }).toEqual({ authorization, status: 401 });
    expect(await answer.text()).not.toContain(canary("DEPLOYMENT_SECRET"));
  }
  expect(events.filter((line) => line.includes("wrong-key"))).toHaveLength(4);
  expect(events.join("\n")).not.toContain(canary("DEPLOYMENT_SECRET"));
});

it("the turn of a deployment comes at most 30 times an hour", async () => {
  newDay();
  const statuses: number[] = [];
  for (let turn = 0; turn < 31; turn += 1) statuses.push((await visit(PATH, MINE)).status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(30);
  expect(statuses.at(-1)).toBe(429);
});

it("the turn of a deployment says why no model answered", async () => {
  newDay();
  const answer = await visitWith({ TITLE_MODEL: "nobody/made-this" }, PATH, MINE);
  expect(answer.status).toBe(503);
  expect(await answer.json()).toEqual({
    code: "AGGREGATOR_UNAVAILABLE",
    error: expect.stringMatching(/^The model nobody\/made-this did not answer: \w+\.$/),
  });
});
