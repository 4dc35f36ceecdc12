import type { Link, Nodes, PhrasingContent, Root } from "mdast";

/** A kind of address: what may be one, what of it is one (else how far on the next may begin), and what its link has in front. */
type Finder = { pattern: RegExp; textOf: (match: RegExpExecArray) => string | number; schemeOf: (text: string) => string };

const FINDERS: readonly Finder[] = [
  {
    pattern: /(?<![\da-z])(https?:\/\/|www(?=\.))([\w-]*\.[\w\-.]*)([^\t\n\r ]*)/gi,
    textOf: pageAddress,
    schemeOf: (text) => (/^w/i.test(text) ? "http://" : ""),
  },
  { pattern: /(?<![\w+\-.@])mailto:([\w+\-.]+)@([\w-]+(?:\.[\w-]+)+)/g, textOf: mailAddress, schemeOf: () => "" },
  {
    pattern: /(?<![\w+\-.]|(?:^|[^\d@A-Za-z])(?:mailto|xmpp):)([\w+\-.]+)@([\w-]+(?:\.[\w-]+)+)/g,
    textOf: mailAddress,
    schemeOf: () => "mailto:",
  },
];

/** What may stand behind an address in a sentence without being a part of it. */
const BEHIND = "!\"&'),.:;<>?]}";

/**
 * Makes links of the bare addresses that the tokenizer leaves to text: all behind an unclosed bracket, and `mailto:`.
 * Those of `xmpp:` stay text, as no link may lead there (safe-url.ts).
 */
export function findLiteralLinks(tree: Root): void {
  for (const finder of FINDERS) visit(tree, finder);
}

function visit(parent: Nodes, finder: Finder): void {
  if (!("children" in parent) || parent.type === "link" || parent.type === "linkReference") return;
  const children: Nodes[] = parent.children;
  for (let index = 0; index < children.length; index += 1) {
    const child = children[index];
    if (child && child.type !== "text") visit(child, finder);
    const parts = child?.type === "text" ? partsOf(child.value, finder) : [];
    if (parts.length === 0) continue;
    children.splice(index, 1, ...parts);
    index += parts.length - 1;
  }
}

/** The text with its links; nothing where there are none. */
function partsOf(text: string, { pattern, textOf, schemeOf }: Finder): PhrasingContent[] {
  const parts: PhrasingContent[] = [];
  let start = 0;
  const addText = (end: number) => {
    if (start < end) parts.push({ type: "text", value: text.slice(start, end) });
  };
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    const value = textOf(match);
    if (typeof value === "number") {
      pattern.lastIndex = match.index + value;
      continue;
    }
    addText(match.index);
    parts.push(toLink(value, schemeOf(value)));
    start = match.index + value.length;
  }
  if (parts.length > 0) addText(text.length);
  return parts;
}

function toLink(value: string, scheme: string): Link {
  return { type: "link", title: null, url: scheme + value, children: [{ type: "text", value }] };
}

function mailAddress([address]: RegExpExecArray): string | number {
  return /[\d\-_]$/.test(address) ? 1 : address;
}

function pageAddress({ 0: whole, 1: start = "", 2: rest = "", index, input }: RegExpExecArray): string | number {
  if (index > 0 && !/[\s\p{P}\p{S}]/u.test(input.charAt(index - 1))) return 1;
  const domain = start.endsWith("/") ? rest : start + rest;
  if (!/^[^\p{P}\p{S}]/u.test(domain)) return 1;
  // No other that begins before the last label ends in better ones.
  return domain.split(".").slice(-2).every(isLabel) ? withoutTrail(whole) : start.length + rest.lastIndexOf(".") + 1;
}

function isLabel(label: string): boolean {
  return label === "" || (/[\da-z]/i.test(label) && !label.includes("_"));
}

/** Leaves what stands behind an address to the sentence, but for the brackets that the address opened itself. */
function withoutTrail(address: string): string {
  let end = address.length;
  while (end > 0 && BEHIND.includes(address.charAt(end - 1))) end -= 1;
  let open = count(address.slice(0, end), "(") - count(address.slice(0, end), ")");
  for (let next = address.indexOf(")", end); open > 0 && next !== -1; next = address.indexOf(")", end)) {
    end = next + 1;
    open -= 1;
  }
  return address.slice(0, end);
}

function count(text: string, sign: string): number {
  return text.split(sign).length - 1;
}
