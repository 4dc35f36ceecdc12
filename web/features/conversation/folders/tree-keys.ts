import type { FolderStep } from "./folder-moves.ts";
import type { TreeFolder } from "#shared/folders/tree.ts";
import type { TreeLine } from "./folder-tree.ts";

/** What a key means on a focused folder. */
export type TreeCommand =
  | { kind: "focus"; id: string }
  | { kind: "leave"; by: 1 | -1 }
  | { kind: "open" | "close"; id: string }
  | { kind: "move"; step: FolderStep }
  | { kind: "rename" | "remove" | "view" | "menu" | "place" };

type Pressed = Pick<KeyboardEvent, "key" | "shiftKey" | "ctrlKey" | "metaKey" | "altKey">;

const STEPS = new Map<string, FolderStep>([
  ["ArrowUp", "up"],
  ["ArrowDown", "down"],
  ["ArrowLeft", "out"],
  ["ArrowRight", "in"],
]);

const ACTIONS = new Map<string, TreeCommand>([
  ["Enter", { kind: "view" }],
  [" ", { kind: "view" }],
  ["F2", { kind: "rename" }],
  ["m", { kind: "place" }],
  ["Delete", { kind: "remove" }],
  ["ContextMenu", { kind: "menu" }],
]);

/** The command of a key on the folder `id`, as trees have them (ARIA practices, Tree View); null for a key that the tree leaves to others. */
export function treeCommand<T extends TreeFolder>(pressed: Pressed, lines: readonly TreeLine<T>[], id: string): TreeCommand | null {
  const { key, shiftKey, ctrlKey, metaKey, altKey } = pressed;
  const at = lines.findIndex(({ folder }) => folder.id === id);
  const line = lines[at];
  if (!line || ctrlKey || metaKey) return null;
  const step = STEPS.get(key);
  if (altKey) return shiftKey && step ? { kind: "move", step } : null;
  if (key === "F10" && shiftKey) return { kind: "menu" };
  const focus = (other: TreeLine<T> | undefined, by: 1 | -1): TreeCommand =>
    other ? { kind: "focus", id: other.folder.id } : { kind: "leave", by };
  switch (key) {
    case "ArrowDown":
    case "j":
      return focus(lines[at + 1], 1);
    case "ArrowUp":
    case "k":
      return focus(lines[at - 1], -1);
    case "Home":
      return focus(lines[0], -1);
    case "End":
      return focus(lines.at(-1), 1);
    case "ArrowRight":
      if (!line.hasChildren) return { kind: "focus", id };
      return line.isOpen ? focus(lines[at + 1], 1) : { kind: "open", id };
    case "ArrowLeft": {
      if (line.isOpen) return { kind: "close", id };
      const parent = lines.find(({ folder }) => folder.id === line.folder.parent_id);
      return { kind: "focus", id: parent?.folder.id ?? id };
    }
    default:
      return ACTIONS.get(key) ?? null;
  }
}
