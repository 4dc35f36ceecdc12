import { useEffect, useEffectEvent } from "react";
import { tinykeys } from "tinykeys";

type Hotkey = { keys: string; mod: boolean; label: string; group: "Everywhere" | "In the chat" | "In the list" };

/** Every shortcut, once: tooltips, menus and the list behind `?` print from here. `mod` is Cmd and Ctrl alike. */
export const HOTKEYS = {
  switchModel: { keys: "Shift+P", mod: true, label: "Switch model", group: "In the chat" },
  switchPersona: { keys: "Shift+O", mod: true, label: "Switch persona", group: "In the chat" },
  askAboutThis: { keys: "Shift+E", mod: true, label: "Ask about the selected text", group: "In the chat" },
  printChat: { keys: "P", mod: true, label: "Print the whole chat", group: "In the chat" },
  search: { keys: "K", mod: true, label: "Search", group: "Everywhere" },
  toggleSidebar: { keys: "B", mod: true, label: "Collapse sidebar", group: "Everywhere" },
  openSettings: { keys: ",", mod: true, label: "Settings", group: "Everywhere" },
  showShortcuts: { keys: "[Shift]+?", mod: false, label: "Keyboard shortcuts", group: "Everywhere" },
  renameChat: { keys: "F2", mod: false, label: "Rename the chat", group: "In the list" },
} as const satisfies Record<string, Hotkey>;

export type HotkeyId = keyof typeof HOTKEYS;

/** True on Apple's keyboards, where Cmd is the key people press. */
const isApple = typeof navigator !== "undefined" && /Mac|iPhone|iPad/.test(navigator.platform);

/** The keys as printed beside an action: `⇧⌘P` on Apple's keyboards, `Ctrl+Shift+P` elsewhere. */
export function hotkeyText(id: HotkeyId, apple = isApple): string {
  return keysText(HOTKEYS[id], apple);
}

/** The same of keys that work in one place alone. */
export function keysText({ keys, mod }: Pick<Hotkey, "keys" | "mod">, apple = isApple): string {
  const parts = keys.split("+");
  const key = parts.at(-1) ?? "";
  const shift = parts.includes("Shift");
  if (apple) return `${shift ? "⇧" : ""}${mod ? "⌘" : ""}${key === "Enter" ? "↩" : key}`;
  return [mod && "Ctrl", shift && "Shift", key].filter(Boolean).join("+");
}

export function ariaHotkey(id: HotkeyId): string {
  const { keys, mod } = HOTKEYS[id];
  return mod ? `Meta+${keys} Control+${keys}` : keys.replaceAll(/\[\w+\]\+/g, "");
}

/** Runs `handler` when the keys are pressed anywhere in the window, while `enabled`. Without Cmd or Ctrl, never while typing. */
export function useHotkey(id: HotkeyId, handler: (event: KeyboardEvent) => void, enabled = true): void {
  const run = useEffectEvent(handler);
  useEffect(() => {
    if (!enabled) return;
    const { keys, mod } = HOTKEYS[id];
    const press = (event: KeyboardEvent) => {
      if (event.isComposing || event.defaultPrevented || (!mod && isTyping(event.target))) return;
      event.preventDefault();
      run(event);
    };
    const bindings = mod ? { [`Meta+${keys}`]: press, [`Control+${keys}`]: press } : { [keys]: press };
    return tinykeys(window, bindings, { ignore: () => false });
  }, [id, enabled]);
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.matches("input, textarea, select"));
}
