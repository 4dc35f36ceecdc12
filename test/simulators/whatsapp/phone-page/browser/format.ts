/** What the app makes of a text's marks. */
export type Piece =
  | { kind: "text"; text: string }
  | { kind: "bold" | "italic" | "strike"; pieces: Piece[] }
  | { kind: "code"; text: string }
  | { kind: "link"; text: string };

export type Block =
  | { kind: "paragraph" | "quote"; pieces: Piece[] }
  | { kind: "item"; mark: string; pieces: Piece[] }
  | { kind: "code"; text: string };

const INLINE =
  /`([^`\n]+)`|(?<![\p{L}\p{N}])(?:\*(\S(?:[^*\n]*\S)?)\*|_(\S(?:[^_\n]*\S)?)_|~(\S(?:[^~\n]*\S)?)~)(?![\p{L}\p{N}])|(https?:\/\/[^\s<>]*[^\s<>.,;:!?)\]}'"*_~])/gu;

/** A line's pieces: bold between asterisks, italic between underscores, struck between tildes, fixed width between backticks, links. */
export function piecesOf(line: string): Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  for (const found of line.matchAll(INLINE)) {
    if (found.index > end) pieces.push({ kind: "text", text: line.slice(end, found.index) });
    pieces.push(pieceOf(found));
    end = found.index + found[0].length;
  }
  if (end < line.length) pieces.push({ kind: "text", text: line.slice(end) });
  return pieces;
}

function pieceOf([, code, bold, italic, strike, link]: RegExpMatchArray): Piece {
  if (code !== undefined) return { kind: "code", text: code };
  if (bold !== undefined) return { kind: "bold", pieces: piecesOf(bold) };
  if (italic !== undefined) return { kind: "italic", pieces: piecesOf(italic) };
  if (strike !== undefined) return { kind: "strike", pieces: piecesOf(strike) };
  return { kind: "link", text: link ?? "" };
}

/** A message's blocks: a line each, and what stands between three backticks in one. */
export function blocksOf(text: string): Block[] {
  return text.split(/```/).flatMap((part, at, parts): Block[] => {
    const isCode = at % 2 === 1 && at < parts.length - 1;
    if (isCode) return [{ kind: "code", text: part.replace(/^\n/, "").replace(/\n$/, "") }];
    const whole = at % 2 === 1 ? `\`\`\`${part}` : part;
    const trimmed = whole.replace(at > 0 ? /^\n/ : /^$/, "").replace(at < parts.length - 1 ? /\n$/ : /^$/, "");
    return trimmed === "" && parts.length > 1 ? [] : trimmed.split("\n").map(blockOf);
  });
}

function blockOf(line: string): Block {
  const quote = /^> ?(.*)$/.exec(line);
  if (quote) return { kind: "quote", pieces: piecesOf(quote[1] ?? "") };
  const item = /^(?:[-*] (?=\S)|(\d+)\. )(.*)$/.exec(line);
  if (item) return { kind: "item", mark: item[1] === undefined ? "•" : `${item[1]}.`, pieces: piecesOf(item[2] ?? "") };
  return { kind: "paragraph", pieces: piecesOf(line) };
}
