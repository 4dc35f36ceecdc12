import { type Arrival, arrivalQueryParameters } from "#shared/sign-in/arrivals.ts";
import type { SharedKind } from "#shared/sharing/share-links.ts";
import { createStore, useStore } from "#web/lib/store.ts";

/** Something of one's own that can be shared by link. */
export type Shareable = { kind: SharedKind; id: string; name: string };

/** Which dialog about links is open, and for what. */
export type LinkDialog = { dialog: "share"; item: Shareable } | { dialog: "builder" | "docs" };

const dialog = createStore<LinkDialog | null>(null);
const NO_ARRIVALS: readonly Arrival[] = [];
const arrivals = createStore(NO_ARRIVALS);

/** Opens 'Share' for a persona or a prompt of one's own. Offer it where `features.shareLinks` is true. */
export function openShareLink(item: Shareable): void {
  dialog.set({ dialog: "share", item });
}

/** Opens the deeplink builder. */
export function openDeeplinkBuilder(): void {
  dialog.set({ dialog: "builder" });
}

/** Opens what there is to know about deeplinks. */
export function openDeeplinkDocs(): void {
  dialog.set({ dialog: "docs" });
}

/** Closes whichever dialog about links is open. */
export function closeLinkDialog(): void {
  dialog.set(null);
}

/** The dialog about links that is open, or null. */
export function useLinkDialog(): LinkDialog | null {
  return useStore(dialog);
}

/** Keeps what an address brought along until it was looked at. */
export function addArrivals(more: readonly Arrival[]): void {
  const waiting = arrivals.get();
  const fresh = more.filter(({ kind, token }) => !waiting.some((one) => one.kind === kind && one.token === token));
  arrivals.set([...waiting, ...fresh]);
}

/** One was looked at: the next one is shown. */
export function dismissArrival(token: string): void {
  arrivals.set(arrivals.get().filter((waiting) => waiting.token !== token));
}

/** Forgets what waits: it comes along in another address. */
export function clearArrivals(): void {
  arrivals.set(NO_ARRIVALS);
}

/** A query, with its question mark, that takes what an address brought along to another document; empty where there is nothing. */
export function arrivalQuery(search: string): string {
  const query = new URLSearchParams(search);
  for (const [name, token] of arrivalQueryParameters(arrivals.get())) query.set(name, token);
  return query.size === 0 ? "" : `?${query.toString()}`;
}

/** What waits to be looked at, the one that is shown first. */
export function useArrivals(): readonly Arrival[] {
  return useStore(arrivals);
}
