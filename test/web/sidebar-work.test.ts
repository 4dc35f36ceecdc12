import { describe, expect, test } from "vitest";
import type { BulkAnswer } from "#shared/contracts/chat/inbox.ts";
import { commandOf } from "#web/features/conversation/list-state/list-keys.ts";
import { bulkOutcome } from "#web/features/conversation/chat-cache/bulk-outcome.ts";
import { everything, extendTo, rowAfterRemoval, isTicked, NOTHING, toggle } from "#web/features/conversation/chat-list/selection.ts";

const order = ["a", "b", "c", "d", "e"];
const ticked = (selection: typeof NOTHING) => order.filter((id) => isTicked(selection, id));

test("one row is ticked by itself, and a range from the one ticked last, in either direction", () => {
  const one = toggle(NOTHING, "b", order);
  expect(ticked(one)).toEqual(["b"]);
  expect(ticked(extendTo(one, "d", order))).toEqual(["b", "c", "d"]);
  expect(ticked(extendTo(extendTo(one, "d", order), "a", order))).toEqual(["a", "b", "c", "d"]);
  expect(ticked(toggle(one, "b", order))).toEqual([]);
  expect(ticked(extendTo(NOTHING, "c", order))).toEqual(["c"]);
});

test("all rows are ticked, loaded or not, and the loaded ones alone when one is left out", () => {
  const all = everything(NOTHING);
  expect(isTicked(all, "not loaded")).toBe(true);
  expect(ticked(toggle(all, "c", order))).toEqual(["a", "b", "d", "e"]);
  expect(isTicked(toggle(all, "c", order), "not loaded")).toBe(false);
});

test("the focus of rows that go passes to the next that stays, else the one before, else none", () => {
  const goes =
    (...ids: string[]) =>
    (id: string) =>
      ids.includes(id);
  expect(rowAfterRemoval("b", order, goes("b", "c"))).toBe("d");
  expect(rowAfterRemoval("e", order, goes("e", "d"))).toBe("c");
  expect(rowAfterRemoval("a", order, goes(...order))).toBeNull();
  expect(rowAfterRemoval("unknown", order, goes())).toBeNull();
});

describe("the keys of the list", () => {
  const press = (key: string, modifiers: Partial<Parameters<typeof commandOf>[0]> = {}) =>
    commandOf({ key, shiftKey: false, ctrlKey: false, metaKey: false, altKey: false, ...modifiers });

  test("letters and arrows say what they are printed for", () => {
    expect(press("j")).toEqual({ kind: "move", by: 1, extend: false });
    expect(press("K", { shiftKey: true })).toEqual({ kind: "move", by: -1, extend: true });
    expect(press("e")).toEqual({ kind: "archive" });
    expect(press("Escape")).toEqual({ kind: "clear" });
    expect(press("a", { metaKey: true })).toEqual({ kind: "selectAll" });
  });

  test("with Ctrl, Cmd or Alt the keys of the list belong to the browser, and Enter follows the link", () => {
    for (const modifiers of [{ ctrlKey: true }, { metaKey: true }, { altKey: true }]) {
      for (const key of ["j", "e", "u", "p", "x"]) expect(press(key, modifiers)).toBeNull();
    }
    expect(press("Enter")).toBeNull();
    expect(press(" ")).toBeNull();
  });
});

describe("what became of many chats", () => {
  const answer = (fields: Partial<BulkAnswer>): BulkAnswer => ({
    results: [],
    changed: 0,
    refused: 0,
    undo_token: null,
    job_id: null,
    ...fields,
  });
  const titles = new Map([
    ["a", "Lease offers"],
    ["b", "Tax question"],
    ["c", "Kickoff"],
  ]);
  const refusal = (id: string) => ({ id, ok: false as const, code: "SHARED_NOT_ARCHIVED", reason: "Shared chats can't be archived." });

  test("what became of many chats is a number when all went well", () => {
    expect(bulkOutcome("archive", answer({ changed: 1_240 }), () => undefined)).toEqual({ tone: "default", title: "1,240 chats archived" });
    expect(bulkOutcome("read", answer({ changed: 1 }), () => undefined).title).toBe("1 chat marked as read");
  });

  test("what became of many chats names those left out, and why", () => {
    const outcome = bulkOutcome("archive", answer({ changed: 2, refused: 3, results: ["a", "b", "c"].map(refusal) }), (id) =>
      titles.get(id),
    );
    expect(outcome).toEqual({
      tone: "warning",
      title: "2 chats archived, 3 not",
      description: "Shared chats can't be archived. (Lease offers, Tax question and 1 more)",
    });
    expect(bulkOutcome("archive", answer({ refused: 1, results: [refusal("a")] }), (id) => titles.get(id))).toMatchObject({
      tone: "danger",
      title: "The chat was not archived",
    });
  });
});
