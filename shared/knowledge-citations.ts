/** A place in a knowledge entry's document, in UTF-16 units of its text; `page` where it has pages. */
export type KnowledgePlace = { contextId: string; documentId: string; start: number; end: number; page: number | null };

/** What stands for the entry in a place in a file of one's own Drive: the file's id is the document's. */
export const DRIVE_CONTEXT = "drive";

const FORM = /^knowledge:([\w-]{1,64})\/([\w-]{1,64})\?at=(\d{1,9})-(\d{1,9})(?:#page=(\d{1,5}))?$/;

/** The address under which an answer cites a passage: none that leads anywhere outside of this product. */
export function knowledgeAddress({ contextId, documentId, start, end, page }: KnowledgePlace): string {
  return `knowledge:${contextId}/${documentId}?at=${start}-${end}${page === null ? "" : `#page=${page}`}`;
}

/** The place that an address leads to; null for any other address. */
export function readKnowledgeAddress(url: string): KnowledgePlace | null {
  const [, contextId, documentId, start, end, page] = FORM.exec(url) ?? [];
  if (contextId === undefined || documentId === undefined) return null;
  return { contextId, documentId, start: Number(start), end: Number(end), page: page === undefined ? null : Number(page) };
}

/** Citations as others see them than who asked: where knowledge is cited stays, what its documents are called does not. */
export function withoutNames<T extends { url: string; title: string | null }>(citations: readonly T[]): T[] {
  return citations.map((citation) => (readKnowledgeAddress(citation.url) ? { ...citation, title: null } : citation));
}

/** Citations without those of knowledge, whose names and places are their owner's own: the numbers of the others stay. */
export function withoutKnowledge<T extends { url: string; title: string | null }>(citations: readonly T[]): T[] {
  return citations.map((citation) => (readKnowledgeAddress(citation.url) ? { ...citation, url: "", title: null } : citation));
}
