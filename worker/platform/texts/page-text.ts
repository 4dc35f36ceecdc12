import { cutAtWord } from "./cut-at-word.ts";

/** What a search or a crawl may put before a model: 8 pages of 1,500 characters each, or fewer with more. */
export const PAGES_MAX = 8;
export const PAGE_CHARACTERS = 1_500;

/** How many characters of each page fit when this many are read. */
export function charactersPerPage(pages: number): number {
  return Math.floor((PAGES_MAX * PAGE_CHARACTERS) / Math.max(1, pages));
}

type Page = { number: number; title: string | null; url: string; published: string | null; text: string };

/** A page as models read it, cut to `limit` characters; the number is that of its citation. */
export function describePage({ number, title, url, published, text }: Page, limit: number): string {
  const date = published === null ? "" : `, ${published}`;
  return `[${number}] ${title ?? "Untitled"} (${url}${date})\n${cutAtWord(text, limit)}`;
}

/** How a model points at what it read. */
export const HOW_TO_CITE = "Cite what you use by its number in square brackets, like [1], right after the statement.";
