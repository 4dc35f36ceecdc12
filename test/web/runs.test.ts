import { expect, test } from "vitest";
import type { Run } from "#shared/entities/outbound/run.ts";
import { runStats, minutesFor, callTimeLabel, priceFor, runStatusLabel } from "#web/features/conversation/runs/run-labels.ts";

const CALL: Run = {
  call_id: crypto.randomUUID(),
  reply_id: crypto.randomUUID(),
  kind: "phone",
  state: "running",
  status: "queued",
  links: [],
  summary: null,
  note: null,
  number: "+14155550123",
  max_minutes: 5,
  seconds: null,
  cost: null,
  starts_at: null,
  started_at: "2026-11-20T10:00:00.000Z",
  ended_at: null,
};

test("a call's price is its longest time by the price of a minute", () => {
  expect(["5", "1", "0.5"].map((minutes) => priceFor(minutes, 0.14))).toEqual(["0.70", "0.14", "0.07"]);
  expect(["", "many", "0", "-1"].map((minutes) => priceFor(minutes, 0.14))).toEqual([null, null, null, null]);
});

test("a call's price that is changed is another longest time, never less than a minute", () => {
  expect(["0.70", "$1.40", "0,28", "0.69", "0.05"].map((price) => minutesFor(price, 0.14))).toEqual([5, 10, 2, 4, 1]);
  expect(["", "free", "0"].map((price) => minutesFor(price, 0.14))).toEqual([null, null, null]);
});

test("What goes on outside says how it stands in a few words", () => {
  const now = Date.parse("2026-11-20T10:00:00.000Z");
  const labelFor = (change: Partial<Run>) => runStatusLabel({ ...CALL, ...change }, now);
  const waits = (starts: string) => callTimeLabel(Date.parse(starts), now, "UTC");
  expect([waits("2026-11-20T20:00:00Z"), waits("2026-11-21T08:00:00Z"), waits("2026-11-23T08:30:00Z")]).toEqual([
    "at 20:00",
    "tomorrow at 8:00",
    "on Monday at 8:30",
  ]);
  expect(labelFor({ state: "planned", starts_at: "2026-11-20T10:30:00.000Z" })).toMatch(/^Calls (at|tomorrow at) \d{1,2}:\d\d$/);
  expect(labelFor({ state: "stopped", status: "cancelled" })).toBe("Call cancelled");
  expect(labelFor({ state: "failed", status: "not-made" })).toBe("Not called");
  expect(labelFor({})).toBe("On the phone, 5 min at most");
  expect(labelFor({ state: "failed", status: "no-answer" })).toBe("Nobody answered");
  expect(labelFor({ state: "failed", status: "busy" })).toBe("Busy");
  expect(labelFor({ state: "stopped" })).toBe("Hung up");
  expect(labelFor({ kind: "code" })).toBe("The agent is at work");
  expect(labelFor({ kind: "code", state: "done" })).toBe("Run finished");
  expect(runStats({ ...CALL, seconds: 65, cost: 0.105 })).toEqual(["1:05", "$0.10"]);
  expect(runStats(CALL)).toEqual([]);
});
