/** Coloured spans of a code, three numbers each: start, end (UTF-16 units) and hue. */
export type Tokens = Uint32Array;

/** Hues 1 to 6 as named in the theme (keyword, string, number, title, type, attr); 7 is for comments. */
const hues: Partial<Record<string, number>> = {
  keyword: 1,
  operator: 1,
  "meta.keyword": 1,
  doctag: 1,
  deletion: 6,
  string: 2,
  char: 2,
  regexp: 2,
  code: 2,
  addition: 2,
  quote: 7,
  number: 3,
  literal: 3,
  symbol: 3,
  bullet: 3,
  variable: 6,
  "variable.constant": 3,
  "variable.language": 1,
  title: 4,
  "title.class": 5,
  section: 4,
  link: 4,
  type: 5,
  built_in: 5,
  "selector-class": 5,
  "selector-id": 5,
  "selector-attr": 5,
  "selector-pseudo": 5,
  "selector-tag": 1,
  tag: 0,
  name: 1,
  attr: 6,
  attribute: 6,
  property: 0,
  params: 0,
  punctuation: 0,
  subst: 0,
  "template-tag": 1,
  "template-variable": 6,
  meta: 6,
  comment: 7,
};

/** The hue of a scope as highlight.js names it (`title.function_.invoke`); undefined leaves the surrounding one. */
export function hueOf(scope: string): number | undefined {
  const parts = scope.replaceAll("_", "").replace("builtin", "built_in").split(".");
  for (let length = parts.length; length > 0; length -= 1) {
    const hue = hues[parts.slice(0, length).join(".")];
    if (hue !== undefined) return hue;
  }
  return undefined;
}

interface TokenNode {
  readonly scope?: string;
  readonly children: readonly unknown[];
}

function isTokenNode(value: unknown): value is TokenNode {
  return typeof value === "object" && value !== null && "children" in value && Array.isArray(value.children);
}

/** Flattens highlight.js's token tree into spans; plain text has none. */
export function toTokens(root: unknown): Tokens {
  const flat: number[] = [];
  let offset = 0;
  const walk = (node: unknown, hue: number) => {
    if (typeof node === "string") {
      if (hue > 0 && node.length > 0) {
        if (flat.at(-1) === hue && flat.at(-2) === offset) flat[flat.length - 2] = offset + node.length;
        else flat.push(offset, offset + node.length, hue);
      }
      offset += node.length;
    } else if (isTokenNode(node)) {
      const own = node.scope === undefined ? hue : (hueOf(node.scope) ?? hue);
      for (const child of node.children) walk(child, own);
    }
  };
  walk(root, 0);
  return Uint32Array.from(flat);
}

/** A stretch of text in one hue; 0 is the text's own colour. */
export interface Stretch {
  readonly text: string;
  readonly hue: number;
}

/** The stretches of a piece of code that begins at `start` of what was tokenised. */
export function stretchesOf(text: string, start: number, tokens: Tokens): Stretch[] {
  const end = start + text.length;
  const stretches: Stretch[] = [];
  let offset = start;
  for (let index = firstTokenEndingAfter(tokens, start); index < tokens.length; index += 3) {
    const from = Math.max(start, tokens[index] ?? end);
    if (from >= end) break;
    const to = Math.min(end, tokens[index + 1] ?? end);
    if (from > offset) stretches.push({ text: text.slice(offset - start, from - start), hue: 0 });
    stretches.push({ text: text.slice(from - start, to - start), hue: tokens[index + 2] ?? 0 });
    offset = to;
  }
  if (offset < end) stretches.push({ text: text.slice(offset - start), hue: 0 });
  return stretches;
}

function firstTokenEndingAfter(tokens: Tokens, offset: number): number {
  let low = 0;
  let high = tokens.length / 3;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((tokens[middle * 3 + 1] ?? 0) > offset) high = middle;
    else low = middle + 1;
  }
  return low * 3;
}
