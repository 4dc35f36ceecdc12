import { significantWords } from "../aggregator/demo/subject.ts";
import { PAGES_OF_LIFE } from "./pages-of-life.ts";
import { PAGES_OF_NATURE } from "./pages-of-nature.ts";
import { PAGES_OF_TECHNOLOGY } from "./pages-of-technology.ts";
import type { WebPage } from "./page.ts";

/** All there is to find: 30 pages that never change. */
export const PAGES: readonly WebPage[] = [...PAGES_OF_NATURE, ...PAGES_OF_TECHNOLOGY, ...PAGES_OF_LIFE];

type Filter = { include?: readonly string[]; exclude?: readonly string[]; after?: string };

/** A search finds something, however little it fits. */
const LEAST_FOUND = 3;

/** Pages by how many of the words asked for they hold, best first. */
export function findPages(query: string, { include = [], exclude = [], after }: Filter = {}): WebPage[] {
  const wanted = wordsOf(query);
  const ranked = PAGES.filter(({ url, published }) => {
    const { hostname } = new URL(url);
    if (include.length > 0 && !include.some((domain) => isWithin(hostname, domain))) return false;
    if (exclude.some((domain) => isWithin(hostname, domain))) return false;
    return after === undefined || (published !== null && published >= after);
  })
    .map((page, index) => ({ page, index, score: score(page, wanted) }))
    .toSorted((a, b) => b.score - a.score || a.index - b.index);
  return ranked.filter((found, place) => found.score > 0 || place < LEAST_FOUND).map(({ page }) => page);
}

/** The page at an address, however its end is written. */
export function pageAt(address: string): WebPage | null {
  const plain = (url: string): string => url.replace(/[?#].*$/, "").replace(/\/$/, "");
  return PAGES.find(({ url }) => url === plain(address)) ?? null;
}

function isWithin(hostname: string, domain: string): boolean {
  return hostname === domain || hostname.endsWith(`.${domain}`) || domain === "example";
}

function score({ title, url, text }: WebPage, wanted: ReadonlySet<string>): number {
  const inTitle = wordsOf(`${title} ${url}`);
  const inText = wordsOf(text);
  return [...wanted].reduce((sum, word) => sum + (inTitle.has(word) ? 3 : 0) + (inText.has(word) ? 1 : 0), 0);
}

/** The words that carry sense, without their plural's s, so `bridge` finds `bridges`. */
function wordsOf(text: string): Set<string> {
  return new Set(significantWords(text.toLowerCase().replaceAll(/[./-]/g, " ")).map((word) => word.replace(/s$/, "")));
}
