import { expect, test } from "vitest";
import { countInView } from "#web/features/conversation/transcript/use-shown-path.ts";

const turns = (count: number, length: number) => Array.from({ length: count }, () => ({ content: "x".repeat(length) }));

test("the turns that a chat opens with are all of a short chat", () => {
  expect(countInView(turns(4, 20), 1_200)).toBe(4);
  expect(countInView([], 1_200)).toBe(0);
});

test("the turns that a chat opens with are few where they are long, and at least one", () => {
  expect(countInView(turns(30, 2_000), 1_200)).toBe(3);
  expect(countInView(turns(30, 100_000), 1_200)).toBe(1);
});

test("the turns that a chat opens with are counted from the newest", () => {
  expect(countInView([...turns(20, 100_000), ...turns(3, 4)], 300)).toBe(4);
});
