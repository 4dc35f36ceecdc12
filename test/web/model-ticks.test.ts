import { expect, test } from "vitest";
import { allowlistOf, isSameTicks, tickShown, ticksOf, toggleTick } from "#web/features/conversation/models/ticks.ts";

const one = { id: "a/one", name: "A: One" };
const two = { id: "b/two", name: "B: Two" };
const auto = { id: "auto", name: "Auto" };
const models = [auto, one, two, { id: "c/three", name: "C: Three" }];

test("the allowlist editor ticks every model where everything is allowed, else those of the list that still exist, and 'Auto'", () => {
  expect([...ticksOf(null, models)]).toEqual(["auto", "a/one", "b/two", "c/three"]);
  expect([...ticksOf([two, { id: "gone", name: "Gone" }], models)]).toEqual(["auto", "b/two"]);
});

test("the allowlist editor turns a tick over, but never that of 'Auto'", () => {
  const ticks = new Set(["auto", "a/one"]);
  expect([...toggleTick(ticks, "b/two")]).toEqual(["auto", "a/one", "b/two"]);
  expect([...toggleTick(ticks, "a/one")]).toEqual(["auto"]);
  expect(toggleTick(ticks, "auto")).toBe(ticks);
});

test("the allowlist editor selects and clears what a search shows and leaves the rest as it is", () => {
  expect([...tickShown(new Set(["auto", "c/three"]), [one, two], true)]).toEqual(["auto", "c/three", "a/one", "b/two"]);
  expect([...tickShown(new Set(["auto", "a/one", "c/three"]), [one, two], false)]).toEqual(["auto", "c/three"]);
  expect([...tickShown(new Set(["auto", "a/one"]), models, false)]).toEqual(["auto"]);
});

test("the allowlist editor saves no list when everything is ticked, so models to come are allowed", () => {
  expect(allowlistOf(ticksOf(null, models), models)).toBeNull();
  expect(allowlistOf(new Set(["auto", "a/one"]), models)).toEqual([auto, one]);
});

test("the allowlist editor knows whether something changed", () => {
  expect(isSameTicks(new Set(["a", "b"]), new Set(["b", "a"]))).toBe(true);
  expect(isSameTicks(new Set(["a", "b"]), new Set(["a", "c"]))).toBe(false);
  expect(isSameTicks(new Set(["a"]), new Set(["a", "c"]))).toBe(false);
});
