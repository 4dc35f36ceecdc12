import type { PagePart } from "./page.ts";

/** A rendered page is used again for this many milliseconds while the chat's version stays the same. */
const PAGE_CACHE_MS = 30_000;
/** Characters of rendered pages that an isolate keeps. */
const PAGE_CACHE_CHARACTERS = 8_000_000;

type Rendered = { version: number; part: PagePart; at: number };

const rendered = new Map<string, Rendered>();

/** The page of a chat as it was rendered a moment ago; whether it may be shown is asked again each time. */
export function cachedPage(key: string, now = Date.now()): Rendered | null {
  const found = rendered.get(key);
  return found && now - found.at < PAGE_CACHE_MS ? found : null;
}

/** Keeps a rendered page for whoever comes next; the oldest go as there are too many. */
export function cachePage(key: string, { version, part }: Omit<Rendered, "at">, now = Date.now()): void {
  rendered.delete(key);
  rendered.set(key, { version, part, at: now });
  let characters = 0;
  for (const [old, { part: kept, at }] of [...rendered].toReversed()) {
    characters += kept.body.length;
    if (characters > PAGE_CACHE_CHARACTERS || now - at >= PAGE_CACHE_MS) rendered.delete(old);
  }
}
