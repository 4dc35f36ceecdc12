import { describe, expect, it } from "vitest";
import { readAnswer } from "#web/features/drive/pick-files.ts";

const CHANNEL = "3b1f2c1e-5d1c-4f0e-9f6c-0c5a6d6b8a11";
const read = (data: object) => readAnswer({ channel: CHANNEL, ...data }, CHANNEL);

describe("what the Picker's window says", () => {
  it.each([
    ["sign_in", "Sign in required"],
    ["not_connected", "Connect Google to continue"],
    ["failed", "Google Picker failed"],
    ["anything else", "Google Picker failed"],
  ])("names why nothing can be picked (%s)", (reason, title) => {
    expect(read({ type: "refused", reason })).toEqual({ kind: "refused", title });
  });

  it("is taken for what was picked, and for nothing else that stands beside it", () => {
    const files = [{ id: "a", resourceKey: "" }, { id: "b", resourceKey: "key", name: "Plan" }, { name: "no id" }, null];
    expect(read({ type: "picked", files })).toEqual({ kind: "picked", files: [{ id: "a" }, { id: "b", resourceKey: "key" }] });
    expect(read({ type: "cancelled" })).toEqual({ kind: "cancelled" });
  });

  it("is nobody's where it does not know the channel's name, or is no word of it", () => {
    for (const data of [null, "picked", { type: "picked", files: [] }, { type: "picked", channel: "another", files: [{ id: "a" }] }])
      expect(readAnswer(data, CHANNEL)).toBeNull();
    expect(read({ type: "picked", files: "all" })).toBeNull();
    expect(read({ type: "other" })).toBeNull();
  });
});
