/** The keys of the list as people read them; they work while it has the focus. */
export const LIST_KEYS = {
  next: { keys: "J", label: "Next chat" },
  previous: { keys: "K", label: "Previous chat" },
  archive: { keys: "E", label: "Archive" },
  unread: { keys: "U", label: "Mark unread or read" },
  pin: { keys: "P", label: "Pin or unpin" },
  move: { keys: "M", label: "Move to a folder" },
  tag: { keys: "T", label: "Tags" },
  select: { keys: "X", label: "Select" },
  extend: { keys: "Shift+J", label: "Select up to the next chat" },
  selectAll: { keys: "Ctrl+A", label: "Select all" },
  clear: { keys: "Esc", label: "End selecting" },
} as const;

/** What a key means while the list has the focus. */
export type ListCommand =
  | { kind: "move"; by: number; extend: boolean }
  | { kind: "edge"; end: boolean }
  | { kind: "rename" | "archive" | "unread" | "pin" | "file" | "tag" | "select" | "selectAll" | "clear" };

type Pressed = Pick<KeyboardEvent, "key" | "shiftKey" | "ctrlKey" | "metaKey" | "altKey">;

const LETTERS = new Map<string, ListCommand>([
  ["F2", { kind: "rename" }],
  ["e", { kind: "archive" }],
  ["u", { kind: "unread" }],
  ["p", { kind: "pin" }],
  ["m", { kind: "file" }],
  ["t", { kind: "tag" }],
  ["x", { kind: "select" }],
  ["Escape", { kind: "clear" }],
  ["Home", { kind: "edge", end: false }],
  ["End", { kind: "edge", end: true }],
]);

const STEPS = new Map([
  ["j", 1],
  ["ArrowDown", 1],
  ["k", -1],
  ["ArrowUp", -1],
]);

/** The command of a key; null for a key that the list leaves to the browser. Enter is one of these: a row is a link. */
export function commandOf({ key, shiftKey, ctrlKey, metaKey, altKey }: Pressed): ListCommand | null {
  if (altKey) return null;
  const letter = key.length === 1 ? key.toLowerCase() : key;
  if (ctrlKey || metaKey) return letter === "a" && !shiftKey ? { kind: "selectAll" } : null;
  const by = STEPS.get(letter);
  if (by !== undefined) return { kind: "move", by, extend: shiftKey };
  return LETTERS.get(letter) ?? null;
}
