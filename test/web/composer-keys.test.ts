import { describe, expect, test } from "vitest";
import { isPrintable, meaningOf } from "#web/features/conversation/composer/composer-keys.ts";

const plain = { key: "Enter", shiftKey: false, altKey: false, ctrlKey: false, metaKey: false, isComposing: false, keyCode: 13 };
const desktop = { isTouch: false, isEmpty: false };
const touch = { isTouch: true, isEmpty: false };

test("Enter sends, Shift+Enter breaks", () => {
  expect(meaningOf(plain, desktop)).toBe("send");
  expect(meaningOf({ ...plain, shiftKey: true }, desktop)).toBe("none");
});

test("Enter breaks on touch, where Cmd or Ctrl with it still sends", () => {
  expect(meaningOf(plain, touch)).toBe("none");
  expect(meaningOf({ ...plain, metaKey: true }, touch)).toBe("send");
});

test("an input method's Enter never sends", () => {
  expect(meaningOf({ ...plain, isComposing: true }, desktop)).toBe("none");
  expect(meaningOf({ ...plain, keyCode: 229 }, desktop)).toBe("none");
});

test("Arrow up edits the last message only from an empty field", () => {
  const up = { ...plain, key: "ArrowUp", keyCode: 38 };
  expect(meaningOf(up, { isTouch: false, isEmpty: true })).toBe("edit_last");
  expect(meaningOf(up, desktop)).toBe("none");
  expect(meaningOf({ ...up, shiftKey: true }, { isTouch: false, isEmpty: true })).toBe("none");
});

describe("typing with nothing focused", () => {
  const key = { key: "a", ctrlKey: false, metaKey: false, altKey: false, isComposing: false };

  test.each(["a", "Ä", "?", "字", "🙂"])("typing with nothing focused: %s goes to the composer", (character) =>
    expect(isPrintable({ ...key, key: character })).toBe(true),
  );
  test.each(["Enter", "Tab", "Escape", " ", "F2"])("typing with nothing focused: %s does not", (name) =>
    expect(isPrintable({ ...key, key: name })).toBe(false),
  );
  test("a shortcut that is pressed with nothing focused does not go to the composer", () =>
    expect(isPrintable({ ...key, ctrlKey: true })).toBe(false));
});
