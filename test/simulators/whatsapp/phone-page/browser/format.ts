/** What the app makes of a text's marks. */
export type Inline =
  | { kind: "text"; text: string }
  | { kind: "bold" | "italic" | "strike"; inlines: Inline[] }
  | { kind: "code"; text: string }
  | { kind: "link"; text: string };

export type Block =
  | { kind: "paragraph" | "quote"; inlines: Inline[] }
  | { kind: "item"; mark: string; inlines: Inline[] }
  | { kind: "code"; text: string };

const INLINE =
  /`([^`\n]+)`|(?<![\p{L}\p{N}])(?:\*(\S(?:[^*\n]*\S)?)\*|_(\S(?:[^_\n]*\S)?)_|~(\S(?:[^~\n]*\S)?)~)(?![\p{L}\p{N}])|(https?:\/\/[^\s<>]*[^\s<>.,;:!?)\]}'"*_~])/gu;

/** A line's chunks: bold between asterisks, italic between underscores, struck between tildes, fixed width between backticks, links. */
export function inlinesOf(line: string): Inline[] {
  const inlines: Inline[] = [];
  let end = 0;
  for (const found of line.matchAll(INLINE)) {
    if (found.index > end) inlines.push({ kind: "text", text: line.slice(end, found.index) });
    inlines.push(toInline(found));
    end = found.index + found[0].length;
  }
  if (end < line.length) inlines.push({ kind: "text", text: line.slice(end) });
  return inlines;
}

function toInline([, code, bold, italic, strike, link]: RegExpMatchArray): Inline {
  if (code !== undefined) return { kind: "code", text: code };
  if (bold !== undefined) return { kind: "bold", inlines: inlinesOf(bold) };
  if (italic !== undefined) return { kind: "italic", inlines: inlinesOf(italic) };
  if (strike !== undefined) return { kind: "strike", inlines: inlinesOf(strike) };
  return { kind: "link", text: link ?? "" };
}

/** A message's blocks: a line each, and what stands between three backticks in one. */
export function blocksOf(text: string): Block[] {
  return text.split(/```/).flatMap((part, at, parts): Block[] => {
    const isCode = at % 2 === 1 && at < parts.length - 1;
    if (isCode) return [{ kind: "code", text: part.replace(/^\n/, "").replace(/\n$/, "") }];
    const unclosed = at % 2 === 1 ? `\`\`\`${part}` : part;
    const trimmed = unclosed.replace(at > 0 ? /^\n/ : /^$/, "").replace(at < parts.length - 1 ? /\n$/ : /^$/, "");
    return trimmed === "" && parts.length > 1 ? [] : trimmed.split("\n").map(blockOf);
  });
}

function blockOf(line: string): Block {
  const quote = /^> ?(.*)$/.exec(line);
  if (quote) return { kind: "quote", inlines: inlinesOf(quote[1] ?? "") };
  const item = /^(?:[-*] (?=\S)|(\d+)\. )(.*)$/.exec(line);
  if (item) return { kind: "item", mark: item[1] === undefined ? "•" : `${item[1]}.`, inlines: inlinesOf(item[2] ?? "") };
  return { kind: "paragraph", inlines: inlinesOf(line) };
}
