import { expect, test } from "vitest";
import { HOTKEYS, type HotkeyId, hotkeyText, keysText } from "#web/lib/hotkeys.ts";

test("keys are printed as each kind of keyboard names them", () => {
  expect(hotkeyText("switchModel", true)).toBe("⇧⌘P");
  expect(hotkeyText("switchModel", false)).toBe("Ctrl+Shift+P");
  expect(hotkeyText("showShortcuts", true)).toBe("?");
  expect(hotkeyText("showShortcuts", false)).toBe("?");
  expect(hotkeyText("renameChat", false)).toBe("F2");
  expect(keysText({ keys: "Enter", mod: true }, true)).toBe("⌘↩");
  expect(keysText({ keys: "Enter", mod: true }, false)).toBe("Ctrl+Enter");
});

test("no two shortcuts have the same keys", () => {
  const ids = Object.keys(HOTKEYS).filter((id): id is HotkeyId => id in HOTKEYS);
  const printed = ids.map((id) => hotkeyText(id, false));
  expect(new Set(printed).size).toBe(printed.length);
});
