import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { moveHighlight } from "#web/ui/picker/use-picker-list.ts";
import { matcher, plainText } from "#web/ui/picker/match.ts";
import { rowsOf } from "#web/ui/picker/picker-list.tsx";
import { CARD_WIDTH, placePopup, placeScrolling } from "#web/ui/picker/popup-place.ts";
import { rowsInView, scrollFor, startsOf } from "#web/ui/picker/row-window.ts";

test("the highlight goes round with the arrows and stops at the ends with the pages", () => {
  expect(moveHighlight("ArrowDown", 9, 10)).toBe(0);
  expect(moveHighlight("ArrowUp", 0, 10)).toBe(9);
  expect(moveHighlight("PageDown", 8, 10)).toBe(9);
  expect(moveHighlight("PageUp", 2, 10)).toBe(0);
  expect(moveHighlight("Home", 5, 10)).toBe(0);
  expect(moveHighlight("End", 5, 10)).toBe(9);
});

test("the highlight leaves other keys and empty lists alone", () => {
  expect(moveHighlight("a", 5, 10)).toBeNull();
  expect(moveHighlight("ArrowDown", -1, 0)).toBeNull();
});

describe("the dropdown", () => {
  const owner = { left: 380, top: 760, bottom: 880 };
  const button = { left: 420, top: 830, bottom: 862 };
  const viewport = { width: 1440, height: 900 };
  const size = { width: 300 + 8 + CARD_WIDTH, height: 320 };

  test("the dropdown stands 8 px above its composer, its left edge on the button", () => {
    expect(placePopup(button, { owner, viewport, size, prefers: "above" })).toEqual({ left: 420, top: 760 - 8 - 320, opens: "above" });
  });

  test("the dropdown opens below a composer without room above it", () => {
    const high = { left: 0, top: 200, bottom: 300 };
    expect(placePopup(button, { owner: high, viewport, size, prefers: "above" })).toMatchObject({ top: 308, opens: "below" });
    expect(placePopup(button, { owner: high, viewport, size: { ...size, height: 120 }, prefers: "above" })).toMatchObject({
      top: 72,
      opens: "above",
    });
  });

  test("the dropdown as high as its rows opens above where there is room for 200 px, else below, and scrolls in the room that it has", () => {
    const tall = { owner: { left: 0, top: 216, bottom: 316 }, viewport, size: { width: 320, height: 700 } };
    expect(placeScrolling(button, tall)).toEqual({ left: 420, top: 8, opens: "above", maxHeight: 200 });
    expect(placeScrolling(button, { ...tall, size: { width: 320, height: 150 } })).toMatchObject({ top: 58, opens: "above" });
    const high = { ...tall, owner: { left: 0, top: 215, bottom: 315 } };
    expect(placeScrolling(button, high)).toEqual({ left: 420, top: 323, opens: "below", maxHeight: 569 });
    // In a low window the larger of two small rooms.
    const low = { ...tall, owner: { left: 0, top: 180, bottom: 280 }, viewport: { width: 1440, height: 400 } };
    expect(placeScrolling(button, low)).toMatchObject({ opens: "above", maxHeight: 164 });
  });

  test("the dropdown opens below its own button, as a select does, and above it where there is no room", () => {
    const field = { left: 420, top: 336, bottom: 372 };
    expect(placePopup(field, { owner: field, viewport, size, prefers: "below" })).toMatchObject({ top: 380, opens: "below" });
    const low = { left: 420, top: 636, bottom: 672 };
    expect(placePopup(low, { owner: low, viewport, size, prefers: "below" })).toMatchObject({ top: 308, opens: "above" });
  });

  test("the dropdown always fits the window with its card", () => {
    fc.assert(
      fc.property(fc.integer({ min: 769, max: 3000 }), fc.integer({ min: 0, max: 3000 }), (width, left) => {
        const place = placePopup({ ...button, left }, { owner, viewport: { width, height: 900 }, size, prefers: "above" });
        expect(place.left).toBeGreaterThanOrEqual(8);
        expect(place.left + size.width).toBeLessThanOrEqual(width - 8);
      }),
    );
  });
});

describe("a picker's lines", () => {
  const item = (name: string, group: string) => ({ name, group });
  const items = [item("None", ""), item("Editor", "Yours"), item("Coach", "Yours"), item("Tutor", "The team's")];
  const text = (row: ReturnType<typeof rowsOf<(typeof items)[number]>>[number]) =>
    row.kind === "heading" ? `# ${row.text}` : `${row.index} ${row.item.name}`;

  test("a picker's lines have a heading before the first option of each group, and options keep their places among the options", () => {
    expect(rowsOf(items, ({ group }) => group || null).map(text)).toEqual([
      "0 None",
      "# Yours",
      "1 Editor",
      "2 Coach",
      "# The team's",
      "3 Tutor",
    ]);
    expect(rowsOf(items, undefined).map(text)).toEqual(["0 None", "1 Editor", "2 Coach", "3 Tutor"]);
  });

  test("a picker's lines are found by every word, in any order, case and accent", () => {
    const found = (query: string) =>
      items.filter(({ name, group }) => matcher(query)(plainText(`${name} ${group} Élan`))).map(({ name }) => name);
    expect(found("YOURS ed")).toEqual(["Editor"]);
    expect(found("elan yours")).toEqual(["Editor", "Coach"]);
    expect(found(" ")).toHaveLength(4);
    expect(found("editor team")).toEqual([]);
  });
});

describe("a long list", () => {
  const starts = startsOf(Array.from({ length: 2_000 }, (_, row) => (row === 1_000 ? 200 : 36)));

  test("a long list is drawn around what is seen, whatever its rows' heights", () => {
    expect(starts.slice(0, 3)).toEqual([0, 36, 72]);
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 71_500 }), fc.integer({ min: 100, max: 664 }), (top, view) => {
        const { from, to } = rowsInView(starts, top, view);
        expect(starts[from]).toBeLessThanOrEqual(top);
        expect(starts[to]).toBeGreaterThanOrEqual(Math.min(top + view, starts.at(-1) ?? 0));
        expect(to - from).toBeLessThan(45);
      }),
    );
    expect(rowsInView(startsOf([]), 0, 320)).toEqual({ from: 0, to: 0 });
  });

  test("a long list scrolls no further than it takes to see a row, and at first to its middle", () => {
    const seen = { top: 360, view: 276 };
    expect(scrollFor({ start: 396, end: 432 }, seen, "nearest")).toBe(360);
    expect(scrollFor({ start: 0, end: 36 }, seen, "nearest")).toBe(0);
    expect(scrollFor({ start: 720, end: 756 }, seen, "nearest")).toBe(480);
    expect(scrollFor({ start: 720, end: 756 }, seen, "center")).toBe(600);
    expect(scrollFor({ start: 36, end: 72 }, seen, "center")).toBe(0);
  });
});
