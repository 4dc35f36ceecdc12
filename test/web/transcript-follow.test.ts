import { expect, test } from "vitest";
import { leavesEnd } from "#web/features/conversation/transcript/use-transcript-scroll.ts";

const AT_END = { top: 500, height: 1_000, view: 500 };
const byHand = { isByHand: true, isScroll: true };
const byItself = { isByHand: false, isScroll: true };

test("following the end of a conversation is left by any movement up of a hand", () => {
  expect(leavesEnd(AT_END, { top: 498, height: 1_200, view: 500 }, byHand)).toBe(true);
  expect(leavesEnd(AT_END, { ...AT_END, top: 0 }, byHand)).toBe(true);
});

test("following the end of a conversation is left by a search in the page or a reading aid: the place moved, and nothing else", () => {
  expect(leavesEnd(AT_END, { ...AT_END, top: 100 }, byItself)).toBe(true);
});

test("following the end of a conversation goes on when content shrank and grew, however far that moved the place", () => {
  expect(leavesEnd(AT_END, { top: 0, height: 1_010, view: 500 }, byItself)).toBe(false);
  expect(leavesEnd(AT_END, { top: 0, height: 2_000, view: 500 }, byItself)).toBe(false);
  // Seen as it changed, before any scrolling is reported.
  expect(leavesEnd(AT_END, { ...AT_END, top: 0 }, { isByHand: false, isScroll: false })).toBe(false);
});

test("following the end of a conversation goes on when a keyboard opens and closes", () => {
  expect(leavesEnd(AT_END, { top: 300, height: 1_000, view: 200 }, byItself)).toBe(false);
  expect(leavesEnd(AT_END, { top: 200, height: 1_000, view: 700 }, byItself)).toBe(false);
});

test("following the end of a conversation goes on at the very end, and while the view moves down or stands", () => {
  expect(leavesEnd(AT_END, { top: 300, height: 800, view: 500 }, byHand)).toBe(false);
  expect(leavesEnd(AT_END, { ...AT_END, height: 1_200 }, byHand)).toBe(false);
  expect(leavesEnd(AT_END, { top: 700, height: 1_200, view: 500 }, byHand)).toBe(false);
});
