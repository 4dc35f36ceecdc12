import { useSyncExternalStore } from "react";
import * as z from "zod/mini";
import { stored } from "./storage.ts";
import { createListeners } from "./store.ts";

export type Theme = "system" | "light" | "dark";

/** Read before the first paint by the script in index.html, too. */
const storedTheme = stored<Theme>("theme", z.enum(["system", "light", "dark"]), "system");
const prefersDark = window.matchMedia("(prefers-color-scheme: dark)");
const PAPER = { light: "#f9faf8", dark: "#101311" } as const;

const { notify, subscribe } = createListeners();
let current = storedTheme.read();

function apply(): void {
  const dark = current === "dark" || (current === "system" && prefersDark.matches);
  const shown = dark ? "dark" : "light";
  document.documentElement.dataset.theme = shown;
  document.querySelector("meta[name=theme-color]")?.setAttribute("content", PAPER[shown]);
  notify();
}

prefersDark.addEventListener("change", apply);
// Another tab chose another theme.
window.addEventListener("storage", (event) => {
  if (event.key !== "theme") return;
  current = storedTheme.read();
  apply();
});

/** Chooses the theme, shows it at once and keeps it in this browser. */
export function setTheme(theme: Theme): void {
  current = theme;
  storedTheme.write(theme);
  apply();
}

/** The chosen theme; `system` follows the device. */
export function useTheme(): Theme {
  return useSyncExternalStore(subscribe, () => current);
}
