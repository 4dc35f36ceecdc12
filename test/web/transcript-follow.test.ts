import { describe, expect, test } from "vitest";
import { isUpwardScroll } from "#web/features/transcript/use-transcript-scroll.ts";

const byHand = { isByHand: true };
const byItself = { isByHand: false };

describe("following the end of a conversation", () => {
  test("is let go by any movement up of a hand", () => {
    expect(isUpwardScroll({ top: 500, height: 1_000 }, { top: 498, height: 1_200 }, byHand)).toBe(true);
  });

  test("is let go by a movement that the content's own change does not explain", () => {
    expect(isUpwardScroll({ top: 500, height: 1_000 }, { top: 0, height: 1_100 }, byItself)).toBe(true);
  });

  test("goes on when turns got their real height and moved the view", () => {
    expect(isUpwardScroll({ top: 500, height: 1_000 }, { top: 420, height: 920 }, byItself)).toBe(false);
  });

  test("goes on while the view moves down or stands", () => {
    expect(isUpwardScroll({ top: 500, height: 1_000 }, { top: 500, height: 1_200 }, byHand)).toBe(false);
    expect(isUpwardScroll({ top: 500, height: 1_000 }, { top: 700, height: 1_200 }, byHand)).toBe(false);
  });
});
