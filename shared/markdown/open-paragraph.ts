import type { Paragraph, PhrasingContent, Root, RootContent } from "mdast";
import { longestInlineMath } from "./math-text.ts";

/** Characters of an open paragraph from which on its finished beginning is frozen. */
const freezeFrom = 1_500;

/** Characters after which it is frozen even if its markup might still change: the end of the text settles it. */
const freezeAnyway = 8_000;

/** Stands for the text before a piece, so a piece can neither begin a block nor meet other characters than it did. */
export const sentinel = "x";

/** A piece of a paragraph that will not be parsed again. */
export interface FrozenSegment {
  readonly children: readonly PhrasingContent[];
  /** Characters of the source it covers. */
  readonly length: number;
  readonly isApproximate: boolean;
}

/** Of a row of marks the last one tells: from each of them on to its end would take long. */
const canOpen: Partial<Record<string, RegExp>> = {
  "*": /\*[^\s*]/y,
  _: /_[^\s_]/y,
  "~": /~[^\s~]/y,
  "`": /`/y,
  "<": /<[A-Za-z/!?]/y,
  $: /\$\S/y,
  "\\": /\\[([]/y,
};

function isOpener(source: string, index: number): boolean {
  const pattern = canOpen[source.charAt(index)];
  if (!pattern) return false;
  pattern.lastIndex = index;
  if (!pattern.test(source)) return false;
  return source[index] !== "_" || index === 0 || !/[\p{L}\p{N}]/u.test(source.charAt(index - 1));
}

function isBoundary(source: string, index: number): boolean {
  const before = source.charAt(index - 1);
  const after = source.charAt(index + 1);
  if (source[index] === " ") return /[^\s\\]/.test(before) && /\S/.test(after);
  return /[\u3041-\u30ff\u3400-\u9fff\uac00-\ud7a3]{2}/.test(before + source.charAt(index));
}

/**
 * Finds the last offset where the paragraph can be cut and what follows cannot pair with anything before;
 * `certain` is that offset, `any` ignores openers.
 */
function findCut(source: string, children: readonly PhrasingContent[]) {
  let certain = 0;
  let any = 0;
  let brackets = 0;
  let isBlocked = false;
  for (const child of children) {
    if (child.type !== "text" || !child.position) continue;
    const end = child.position.end.offset ?? 0;
    for (let index = child.position.start.offset ?? 0; index < end; index += 1) {
      const character = source.charAt(index);
      if (isOpener(source, index)) {
        const isMath = character === "$" || character === "\\";
        isBlocked ||= !isMath || source.length - index < longestInlineMath + 10;
      }
      if (character === "\\") index += 1;
      else if (character === "[") brackets += 1;
      else if (character === "]") brackets = Math.max(0, brackets - 1);
      else if (isBoundary(source, index)) {
        any = index;
        if (!isBlocked && brackets === 0) certain = index;
      }
    }
  }
  return { certain, any };
}

function onlyParagraph(root: Root): Paragraph | undefined {
  const [first] = root.children;
  return root.children.length === 1 && first?.type === "paragraph" ? first : undefined;
}

/** A last line that may yet become the one below a heading or a table's head: it is parsed with all of that. */
const lastUnderline = /[\r\n][ \t]*[-=|:][-=|: \t]*[\r\n]*$/;

/** Drops the sentinel from the first text of a parsed piece. */
export function withoutSentinel(children: readonly PhrasingContent[]): PhrasingContent[] {
  const [first, ...rest] = children;
  if (first?.type !== "text") return [...children];
  const value = first.value.slice(sentinel.length);
  return value === "" ? rest : [{ ...first, value }, ...rest];
}

/**
 * Freezes the beginning of an open paragraph; `source` is the text that was parsed (with a sentinel if `hasSentinel`),
 * `node` its parse. The piece is parsed once more by itself, so its cost stays linear.
 */
export function freezeSegment(
  source: string,
  { node, hasSentinel, parse }: { node: Paragraph; hasSentinel: boolean; parse: (text: string) => Root },
): FrozenSegment | undefined {
  if (source.length < freezeFrom || lastUnderline.test(source)) return undefined;
  const { certain, any } = findCut(source, node.children);
  const isForced = certain < freezeFrom / 2 && source.length >= freezeAnyway;
  const cut = isForced ? any : certain;
  if (cut < freezeFrom / 2) return undefined;
  const paragraph = onlyParagraph(parse(source.slice(0, cut)));
  if (!paragraph) return undefined;
  return {
    children: hasSentinel ? withoutSentinel(paragraph.children) : paragraph.children,
    length: cut - (hasSentinel ? sentinel.length : 0),
    isApproximate: isForced,
  };
}

/** Lines that would make a heading or a table of the paragraph's last lines, which only a parse of the whole can tell. */
const underline = /(?:^|[\r\n])[ \t]*[-=|:][-=|: \t]*(?:[\r\n]|$)/;

/** Whether the parse of a paragraph's remainder can be joined with its frozen pieces. */
export function continuesParagraph(node: RootContent | undefined, source: string): node is Paragraph {
  return node?.type === "paragraph" && !underline.test(source);
}
