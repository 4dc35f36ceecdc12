import { fieldsIn, listIn, numberIn, textIn } from "../chats/loose.ts";
import type { Said } from "../chats/message-tree.ts";

type Cited = Said["citations"];

/** Marks of the product's own that stand for a source, a picture or a widget: `\uE200cite\uE202turn0search1\uE201`. */
const MARK = /\uE200[^\uE200\uE201]*\uE201/g;
const STRAY = /[\uE200-\uE206]/g;
/** The older form: `【5†source】`. */
const BRACKET = /【\d+(?::\d+)?†[^】]{0,200}】/g;
/** A text with more marks than anyone reads is left with the rest of them. */
const MARKS = 500;

/** A text with its marks as links, where it is known what they stand for, and without them where not; and the pages it names. */
export function readCitations(text: string, metadata: Readonly<Record<string, unknown>>): { text: string; citations: Cited } {
  const citations: Cited = [];
  let linked = text;
  for (const value of listIn(metadata.content_references).slice(0, MARKS)) {
    const reference = fieldsIn(value);
    const pages = pagesOf(reference);
    citations.push(...pages);
    const mark = textIn(reference.matched_text);
    // Some references are of all the text, or of a space.
    if (mark === null || mark.trim().length < 3 || !linked.includes(mark)) continue;
    linked = linked.replaceAll(mark, (_, at: number, all: string) => spaced(linksOf(pages) || alternative(reference), all[at - 1]));
  }
  for (const value of listIn(metadata.citations).slice(0, MARKS)) {
    const citation = fieldsIn(value);
    const { url, title } = fieldsIn(citation.metadata);
    if (typeof url !== "string") continue;
    const page = { url, title: textIn(title) };
    citations.push(page);
    const mark = markAt(text, citation);
    if (mark !== null) linked = linked.replace(mark, (_, at: number, all: string) => spaced(linksOf([page]), all[at - 1]));
  }
  return { text: linked.replaceAll(MARK, "").replaceAll(STRAY, "").replaceAll(BRACKET, ""), citations };
}

/** A link stands apart from the word before it. */
function spaced(link: string, before: string | undefined): string {
  return link === "" || before === undefined || /\s/.test(before) ? link : ` ${link}`;
}

function markAt(text: string, { start_ix: start, end_ix: end }: Readonly<Record<string, unknown>>): string | null {
  const mark = text.slice(numberIn(start) ?? 0, numberIn(end) ?? 0);
  return /^【[^】]*】$/.test(mark) ? mark : null;
}

function pagesOf(reference: Readonly<Record<string, unknown>>): Cited {
  const items = [reference, ...listIn(reference.items).map(fieldsIn), ...listIn(reference.sources).map(fieldsIn)];
  return items.flatMap(({ url, title }) => (typeof url === "string" && url !== "" ? [{ url, title: textIn(title) }] : []));
}

function alternative(reference: Readonly<Record<string, unknown>>): string {
  const alt = textIn(reference.alt);
  return alt !== null && alt.length < 2_000 ? alt : "";
}

function linksOf(pages: Cited): string {
  return pages
    .slice(0, 3)
    .flatMap(({ url, title }) => (/^https?:\/\/[^\s()<>]+$/i.test(url) ? [`([${plain(title ?? hostOf(url))}](${url}))`] : []))
    .join(" ");
}

function plain(title: string): string {
  return (
    title
      .replaceAll(/[[\]\n\\`*_<>]/g, " ")
      .replaceAll(/\s+/g, " ")
      .trim()
      .slice(0, 80) || "source"
  );
}

function hostOf(url: string): string {
  return URL.parse(url)?.hostname.replace(/^www\./, "") ?? "source";
}
