import { useSyncExternalStore } from "react";

function subscribe(onChange: () => void) {
  const observer = new MutationObserver(onChange);
  observer.observe(document.documentElement, { attributeFilter: ["data-theme"] });
  return () => observer.disconnect();
}

/** The theme that the page shows now, for what is drawn in its colours once. */
export function usePageTheme(): string {
  return useSyncExternalStore(
    subscribe,
    () => document.documentElement.dataset["theme"] ?? "light",
    () => "light",
  );
}
