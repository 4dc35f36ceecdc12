import { expect, test } from "vitest";
import { isAllowed, normaliseAllowlist, preferredWithin } from "#shared/models/allowlist.ts";

const AUTO = { id: "auto", name: "Auto" };
const claude = { id: "anthropic/claude", name: "Anthropic: Claude" };
const names = new Map([[claude.id, claude.name]]);

test("an allowlist of plain ids gets names, and the id itself where none is known", () => {
  expect(normaliseAllowlist([claude.id, "gone/model"], names)).toEqual([claude, { id: "gone/model", name: "gone/model" }, AUTO]);
});

test("an allowlist always has the automatic model, once, and every model once", () => {
  expect(normaliseAllowlist(["auto", claude, claude.id], names)).toEqual([AUTO, claude]);
  expect(normaliseAllowlist([])).toEqual([AUTO]);
});

test("an allowlist of null allows every model and stays null", () => {
  expect(normaliseAllowlist(null)).toBeNull();
  expect(isAllowed("any/model", null)).toBe(true);
});

test("an allowlist allows what it lists, and the automatic model even when it is not listed", () => {
  expect(isAllowed(claude.id, [claude])).toBe(true);
  expect(isAllowed("other/model", [claude])).toBe(false);
  expect(isAllowed("auto", [claude])).toBe(true);
});

test("a preferred model outside the allowlist gives way to the first allowed", () => {
  expect(preferredWithin("other/model", [claude, AUTO])).toBe(claude.id);
});

test("a preferred model inside it, or with no allowlist, or unset, stays", () => {
  expect(preferredWithin(claude.id, [AUTO, claude])).toBe(claude.id);
  expect(preferredWithin("other/model", null)).toBe("other/model");
  expect(preferredWithin(null, [claude])).toBeNull();
});
