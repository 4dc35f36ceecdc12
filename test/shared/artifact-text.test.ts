import { expect, it } from "vitest";
import { previewOf, withLineFeeds } from "#shared/artifacts.ts";

it("an artifact's preview shows a text in one line without its marks, rules and tables' rules", () => {
  expect(previewOf("# Plan\n\n---\n\n| a | b |\n|---|:-:|\n| 1 | 2 |\n\n- [x] *done* - today")).toBe("Plan a b 1 2 done - today");
});

it("an artifact's preview comes to an end on texts made to keep patterns busy", () => {
  expect(previewOf(`${"\n".repeat(500)}${"-".repeat(500)}x`)).toHaveLength(140);
  expect(previewOf(`${"-".repeat(1_100)}x`)).toHaveLength(140);
  expect(previewOf(" |:-".repeat(400))).toBe("");
});

it("an artifact's text ends lines with a line feed alone", () => {
  expect(withLineFeeds("a\r\nb\rc\nd\r\n\r\n")).toBe("a\nb\nc\nd\n\n");
});
