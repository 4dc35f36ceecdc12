import { createStore, useStore } from "#web/lib/store.ts";

/** The folder whose new place is asked for. */
const moving = createStore<string | null>(null);

/** Asks where a folder is to go; null ends that. */
export function askForPlace(id: string | null): void {
  moving.set(id);
}

/** The folder whose new place is asked for. */
export function usePlaceQuestion(): string | null {
  return useStore(moving);
}
