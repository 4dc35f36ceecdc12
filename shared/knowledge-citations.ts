/** A place in a knowledge entry's document, in UTF-16 units of its text; `page` where it has pages. */
export type KnowledgePlace = { entryId: string; documentId: string; start: number; end: number; page: number | null };

/** What stands for the entry in a place in a file of one's own Drive: the file's id is the document's. */
export const DRIVE_CONTEXT = "drive";

const FORM = /^knowledge:([\w-]{1,64})\/([\w-]{1,64})\?at=(\d{1,9})-(\d{1,9})(?:#page=(\d{1,5}))?$/;

/** The address under which an answer cites a passage: none that leads anywhere outside of this product. */
export function knowledgeAddress({ entryId, documentId, start, end, page }: KnowledgePlace): string {
  return `knowledge:${entryId}/${documentId}?at=${start}-${end}${page === null ? "" : `#page=${page}`}`;
}

/** The place that an address leads to; null for any other address. */
export function readKnowledgeAddress(url: string): KnowledgePlace | null {
  const [, entryId, documentId, start, end, page] = FORM.exec(url) ?? [];
  if (entryId === undefined || documentId === undefined) return null;
  return { entryId, documentId, start: Number(start), end: Number(end), page: page === undefined ? null : Number(page) };
}

/** Where conversations stand in Gmail: nobody but their person can open one, and nobody else learns its name. */
const GMAIL = "https://mail.google.com/";

/** The address of a conversation in its person's own Gmail. */
export function gmailAddress(threadId: string): string {
  return `${GMAIL}mail/#all/${threadId}`;
}

/** True for an address of what is its person's own: a passage of their documents, or a conversation in their Gmail. */
export function isPrivateAddress(url: string): boolean {
  return url.toLowerCase().startsWith(GMAIL) || readKnowledgeAddress(url) !== null;
}

/** Citations as others see them than who asked: where knowledge is cited stays, what its documents are called does not, and nothing of mail does. */
export function withoutNames<T extends { url: string; title: string | null }>(citations: readonly T[]): T[] {
  return citations.map((citation) => {
    if (!isPrivateAddress(citation.url)) return citation;
    return readKnowledgeAddress(citation.url) ? { ...citation, title: null } : { ...citation, url: "", title: null };
  });
}

/** Citations without those of knowledge and Gmail, whose names and places are their person's own: the numbers of the others stay. */
export function withoutPrivate<T extends { url: string; title: string | null }>(citations: readonly T[]): T[] {
  return citations.map((citation) => (isPrivateAddress(citation.url) ? { ...citation, url: "", title: null } : citation));
}
