import { describe, expect, test } from "vitest";
import { type DropPlace, dropPlaceAt, INDENT_PX } from "#web/features/conversation/folders/drop-place.ts";
import { canMove, placeOf, stepDestination, withMoved } from "#web/features/conversation/folders/folder-moves.ts";
import { heightOf, pathOf, folderAndDescendants } from "#shared/folders/tree.ts";
import { linesOf } from "#web/features/conversation/folders/folder-tree.ts";
import { treeCommand } from "#web/features/conversation/folders/tree-keys.ts";

/** Work (Clients (Acme), Invoices), Home (Garden), Travel. */
const folders = [
  { id: "work", parent_id: null },
  { id: "clients", parent_id: "work" },
  { id: "acme", parent_id: "clients" },
  { id: "invoices", parent_id: "work" },
  { id: "home", parent_id: null },
  { id: "garden", parent_id: "home" },
  { id: "travel", parent_id: null },
].map((folder) => ({ ...folder, workspace: "personal" }));
const all = () => true;
const none = () => false;
const only =
  (...ids: string[]) =>
  (id: string) =>
    ids.includes(id);
const shown = (isOpen: (id: string) => boolean, root: string | null = null) =>
  linesOf(folders, isOpen, root).map(({ folder, level }) => `${level} ${folder.id}`);

test("the tree in sight shows what open folders hold, each a level below its parent", () => {
  expect(shown(none)).toEqual(["1 work", "1 home", "1 travel"]);
  expect(shown(only("work"))).toEqual(["1 work", "2 clients", "2 invoices", "1 home", "1 travel"]);
  expect(shown(all)).toEqual(["1 work", "2 clients", "3 acme", "2 invoices", "1 home", "2 garden", "1 travel"]);
  expect(shown(only("clients"))).toEqual(["1 work", "1 home", "1 travel"]);
});

test("the tree in sight of one folder begins with what lies in it", () => {
  expect(shown(all, "work")).toEqual(["1 clients", "2 acme", "1 invoices"]);
  expect(shown(all, "travel")).toEqual([]);
});

test("the tree in sight says which of its siblings a folder is, and opens none that is empty", () => {
  const [work, , , invoices, , , travel] = linesOf(folders, all);
  expect(work).toMatchObject({ position: 1, siblings: 3, hasChildren: true, isOpen: true });
  expect(invoices).toMatchObject({ position: 2, siblings: 2, hasChildren: false, isOpen: false });
  expect(travel).toMatchObject({ position: 3, siblings: 3, isOpen: false });
});

test("the tree in sight knows a folder's way down, what lies in it and how many levels that takes", () => {
  expect(pathOf(folders, "acme").map(({ id }) => id)).toEqual(["work", "clients", "acme"]);
  expect(pathOf(folders, null)).toEqual([]);
  expect(pathOf(folders, "gone")).toEqual([]);
  expect([...folderAndDescendants(folders.toReversed(), "work")].toSorted()).toEqual(["acme", "clients", "invoices", "work"]);
  expect(heightOf(folders, "work")).toBe(3);
  expect(heightOf(folders, "travel")).toBe(1);
});

test("moving a folder never goes into itself, where it stands already, or deeper than is allowed", () => {
  expect(canMove(folders, "work", { parentId: "acme", beforeId: null }, 9)).toBe(false);
  expect(canMove(folders, "work", { parentId: "work", beforeId: null }, 9)).toBe(false);
  expect(canMove(folders, "work", { parentId: null, beforeId: "work" }, 9)).toBe(false);
  expect(canMove(folders, "work", { parentId: null, beforeId: "home" }, 9)).toBe(false);
  expect(canMove(folders, "work", { parentId: null, beforeId: "travel" }, 9)).toBe(true);
  expect(canMove(folders, "work", { parentId: "garden", beforeId: null }, 5)).toBe(true);
  expect(canMove(folders, "work", { parentId: "garden", beforeId: null }, 4)).toBe(false);
});

test("moving a folder stays in its workspace, and ends among its own where another's begin", () => {
  const both = [...folders, { id: "launch", parent_id: null, workspace: "crew" }];
  expect(canMove(both, "home", { parentId: "launch", beforeId: null }, 9)).toBe(false);
  expect(canMove(both, "home", { parentId: null, beforeId: "launch" }, 9)).toBe(false);
  expect(stepDestination(both, "travel", "down")).toBeNull();
  expect(stepDestination(both, "launch", "up")).toBeNull();
  const lines = linesOf(both, none);
  const over = { folders: both, lines, x: 0, rowPx: 36, maxDepth: 6 };
  expect(dropPlaceAt({ ...over, y: 3.1 * 36, dragged: "home" })).toMatchObject({ place: { parentId: null, beforeId: null }, row: 3 });
  expect(dropPlaceAt({ ...over, y: 3.1 * 36, dragged: "launch" })).toBeNull();
});

test("moving a folder takes it and what lies in it to its new place, and back", () => {
  const moved = withMoved(folders, "clients", { parentId: null, beforeId: "home" });
  expect(linesOf(moved, all).map(({ folder, level }) => `${level} ${folder.id}`)).toEqual([
    "1 work",
    "2 invoices",
    "1 clients",
    "2 acme",
    "1 home",
    "2 garden",
    "1 travel",
  ]);
  const before = placeOf(folders, "clients");
  expect(before).toEqual({ parentId: "work", beforeId: "invoices" });
  expect(before && linesOf(withMoved(moved, "clients", before), all)).toEqual(linesOf(folders, all));
});

test("a folder is moved by keys: up, down, out behind its parent, and into the sibling above", () => {
  expect(stepDestination(folders, "home", "up")).toEqual({ parentId: null, beforeId: "work" });
  expect(stepDestination(folders, "home", "down")).toEqual({ parentId: null, beforeId: null });
  expect(stepDestination(folders, "work", "down")).toEqual({ parentId: null, beforeId: "travel" });
  expect(stepDestination(folders, "work", "up")).toBeNull();
  expect(stepDestination(folders, "travel", "down")).toBeNull();
  expect(stepDestination(folders, "clients", "out")).toEqual({ parentId: null, beforeId: "home" });
  expect(stepDestination(folders, "garden", "out")).toEqual({ parentId: null, beforeId: "travel" });
  expect(stepDestination(folders, "work", "out")).toBeNull();
  expect(stepDestination(folders, "invoices", "in")).toEqual({ parentId: "clients", beforeId: null });
  expect(stepDestination(folders, "clients", "in")).toBeNull();
});

describe("where a pointer drops", () => {
  const rowPx = 36;
  const drop = (dragged: string | null, y: number, x = 100, isOpen = all): DropPlace | null =>
    dropPlaceAt({ folders, lines: linesOf(folders, isOpen), x, y: y * rowPx, rowPx, dragged, maxDepth: 6 });

  test("chats go into the folder they are over, wherever on it", () => {
    for (const y of [0.05, 0.5, 0.95]) expect(drop(null, y)).toEqual({ kind: "into", id: "work" });
    expect(drop(null, 7.5)).toBeNull();
    expect(drop(null, -0.5)).toBeNull();
  });

  test("a folder goes before, into or after another by the part of the row", () => {
    expect(drop("travel", 4.1)).toEqual({ kind: "between", place: { parentId: "work", beforeId: null }, row: 4, level: 2 });
    expect(drop("travel", 4.1, 0)).toEqual({ kind: "between", place: { parentId: null, beforeId: "home" }, row: 4, level: 1 });
    expect(drop("travel", 0.1)).toEqual({ kind: "between", place: { parentId: null, beforeId: "work" }, row: 0, level: 1 });
    expect(drop("travel", 4.5)).toEqual({ kind: "into", id: "home" });
    expect(drop("work", 6.9, 0)).toEqual({ kind: "between", place: { parentId: null, beforeId: null }, row: 7, level: 1 });
  });

  test("a drop below an open folder goes to its first place; below the last one of several levels the indentation decides", () => {
    expect(drop("travel", 0.9, 0)).toEqual({ kind: "between", place: { parentId: "work", beforeId: "clients" }, row: 1, level: 2 });
    expect(drop("travel", 2.9, 2 * INDENT_PX)).toEqual({
      kind: "between",
      place: { parentId: "clients", beforeId: null },
      row: 3,
      level: 3,
    });
    expect(drop("travel", 2.9, 0)).toEqual({ kind: "between", place: { parentId: "work", beforeId: "invoices" }, row: 3, level: 2 });
    expect(drop("travel", 0.9, 100, none)).toEqual({ kind: "between", place: { parentId: null, beforeId: "home" }, row: 1, level: 1 });
  });

  test("a folder goes neither into itself nor to where it stands", () => {
    expect(drop("work", 1.5)).toBeNull();
    expect(drop("work", 2.9)).toBeNull();
    expect(drop("home", 4.1, 0)).toBeNull();
    expect(drop("home", 4.5)).toBeNull();
    expect(drop("garden", 5.9, INDENT_PX)).toBeNull();
  });
});

describe("the keys of the tree", () => {
  const lines = linesOf(folders, only("work"));
  const press = (id: string, key: string, held: Partial<Parameters<typeof treeCommand>[0]> = {}) =>
    treeCommand({ key, shiftKey: false, ctrlKey: false, metaKey: false, altKey: false, ...held }, lines, id);

  test("in the tree of folders right opens, then goes in; left closes, then goes out", () => {
    expect(press("home", "ArrowRight")).toEqual({ kind: "open", id: "home" });
    expect(press("work", "ArrowRight")).toEqual({ kind: "focus", id: "clients" });
    expect(press("work", "ArrowLeft")).toEqual({ kind: "close", id: "work" });
    expect(press("invoices", "ArrowLeft")).toEqual({ kind: "focus", id: "work" });
    expect(press("home", "ArrowLeft")).toEqual({ kind: "focus", id: "home" });
  });

  test("in the tree of folders up and down go from row to row, and beyond the tree at its ends", () => {
    expect(press("clients", "ArrowDown")).toEqual({ kind: "focus", id: "invoices" });
    expect(press("home", "ArrowUp")).toEqual({ kind: "focus", id: "invoices" });
    expect(press("travel", "ArrowDown")).toEqual({ kind: "leave", by: 1 });
    expect(press("work", "ArrowUp")).toEqual({ kind: "leave", by: -1 });
    expect(press("home", "End")).toEqual({ kind: "focus", id: "travel" });
  });

  test("in the tree of folders the arrows with Alt and Shift move the folder; with Ctrl or Cmd keys are the browser's", () => {
    expect(press("home", "ArrowUp", { altKey: true, shiftKey: true })).toEqual({ kind: "move", step: "up" });
    expect(press("home", "ArrowRight", { altKey: true, shiftKey: true })).toEqual({ kind: "move", step: "in" });
    expect(press("home", "ArrowLeft", { altKey: true })).toBeNull();
    expect(press("home", "ArrowUp", { ctrlKey: true })).toBeNull();
    expect(press("home", "F2")).toEqual({ kind: "rename" });
  });
});
