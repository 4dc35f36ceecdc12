import { decodeEntities } from "./html-entities.ts";

/** Longer HTML is cut before it is read. */
export const HTML_LENGTH = 500_000;
const BLOCKS = new Set(
  "address article aside blockquote center dd div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section table tr ul".split(
    " ",
  ),
);
/** Nothing in these is shown. */
const UNSEEN = new Set("head style script title noscript template svg math object iframe select textarea".split(" "));
const VOID = new Set("area base br col embed hr img input link meta source track wbr".split(" "));
/** A reader does not see it, so neither does a model. */
const HIDDEN =
  /(?:display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0(?:px|pt|em|%)?\s*(?:;|"|'|$)|mso-hide\s*:\s*all)|\shidden(?:[\s=/>]|$)/i;

function styleOf(tag: string): string {
  return /\sstyle\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i.exec(tag)?.slice(1).find(Boolean) ?? "";
}

/** The text that a person sees of a mail's HTML, quotes marked by `>`; nothing in it is run, fetched or kept as markup. */
export function htmlToText(html: string): string {
  const source = html.slice(0, HTML_LENGTH);
  const lines: string[] = [];
  // Chunks, as a growing text that is looked at each time is copied each time.
  let line: string[] = [];
  let quotes = 0;
  let hidden: { name: string; depth: number } | null = null;
  let isPre = false;
  let link: { href: string; shown: string[] } | null = null;

  function endLine(isForced: boolean): void {
    const joined = line.join("");
    const text = isPre ? joined.trimEnd() : joined.trim();
    line = [];
    if (text === "" && !isForced) return;
    lines.push(`${"> ".repeat(quotes)}${text}`);
  }

  function push(text: string): void {
    if (text === "") return;
    line.push(text);
    link?.shown.push(text);
  }

  function add(text: string): void {
    if (hidden || text === "") return;
    const decoded = decodeEntities(text);
    if (isPre) {
      const [first = "", ...others] = decoded.split(/\r?\n/);
      push(first);
      for (const other of others) {
        endLine(true);
        push(other);
      }
      return;
    }
    const collapsed = decoded.replaceAll(/[\s\u00A0]+/g, " ");
    push(line.at(-1)?.endsWith(" ") === false ? collapsed : collapsed.trimStart());
  }

  function endLink(): void {
    if (!link) return;
    const { href, shown } = link;
    const text = shown.join("").trim();
    link = null;
    if (text !== "" && !href.includes(text)) push(` (${href})`);
  }

  function open(name: string, tag: string): void {
    if (hidden) {
      if (name === hidden.name && !VOID.has(name) && !tag.endsWith("/")) hidden.depth += 1;
      return;
    }
    if (!VOID.has(name) && (UNSEEN.has(name) || HIDDEN.test(tag) || HIDDEN.test(decodeEntities(styleOf(tag))))) {
      hidden = { name, depth: 1 };
      return;
    }
    if (name === "br") return endLine(true);
    if (name === "img") return add(/\salt\s*=\s*(?:"([^"]*)"|'([^']*)')/i.exec(tag)?.slice(1).find(Boolean) ?? "");
    if (BLOCKS.has(name)) endLine(false);
    if (name === "p" && lines.length > 0) endParagraph();
    if (name === "blockquote") quotes = Math.min(quotes + 1, 20);
    if (name === "li") line = ["- "];
    if ((name === "td" || name === "th") && line.length > 0) push(" | ");
    if (name === "pre") isPre = true;
    if (name === "hr") lines.push(`${"> ".repeat(quotes)}---`);
    const href = name === "a" ? /\shref\s*=\s*(?:"(https?:[^"]*)"|'(https?:[^']*)')/i.exec(tag)?.slice(1).find(Boolean) : undefined;
    if (href !== undefined) link = { href: decodeEntities(href).slice(0, 2_000), shown: [] };
  }

  function endParagraph(): void {
    if (lines.at(-1)?.replaceAll(/[> ]/g, "") !== "") lines.push("> ".repeat(quotes));
  }

  function close(name: string): void {
    if (hidden) {
      if (name === hidden.name && (hidden.depth -= 1) === 0) hidden = null;
      return;
    }
    if (name === "a") endLink();
    if (BLOCKS.has(name)) endLine(false);
    if (name === "p") endParagraph();
    if (name === "blockquote") quotes = Math.max(0, quotes - 1);
    if (name === "pre") isPre = false;
  }

  for (let at = 0; at < source.length;) {
    const next = source.indexOf("<", at);
    add(source.slice(at, next === -1 ? source.length : next));
    if (next === -1) break;
    if (source.startsWith("<!--", next)) {
      const end = source.indexOf("-->", next + 4);
      if (end === -1) break;
      at = end + 3;
      continue;
    }
    if (!/[a-z!?/]/i.test(source.charAt(next + 1))) {
      add("<");
      at = next + 1;
      continue;
    }
    const end = tagEnd(source, next);
    const tag = source.slice(next + 1, end);
    const name = /^\/?\s*([a-z][a-z0-9]*)/i.exec(tag)?.[1]?.toLowerCase();
    if (name !== undefined) {
      if (tag.startsWith("/")) close(name);
      else open(name, tag);
    }
    at = end + 1;
  }
  endLine(false);
  return lines
    .map((one) => one.trimEnd())
    .join("\n")
    .replaceAll(/\n(?:[> ]*\n){2,}/g, "\n\n")
    .trim();
}

/** Where a tag ends: a `>` within a quoted value is none. */
function tagEnd(source: string, from: number): number {
  let quote = "";
  for (let at = from + 1; at < source.length; at += 1) {
    const character = source.charAt(at);
    if (quote !== "") {
      if (character === quote) quote = "";
    } else if ((character === '"' || character === "'") && source.charAt(at - 1) === "=") quote = character;
    else if (character === ">") return at;
  }
  return source.length;
}
