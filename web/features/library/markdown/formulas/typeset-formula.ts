import katex from "katex";
import { type ReactNode, createElement } from "react";
import { FORMULA_OPTIONS, MATHML_ATTRIBUTES, MATHML_ELEMENTS } from "#shared/markdown/mathml.ts";
import "./formula.css";

const cacheSize = 500;
const cache = new Map<string, ReactNode>();

/** Renders TeX as MathML elements; `null` where it is not understood. */
export function typesetFormula(source: string, display: boolean): ReactNode {
  const key = `${display ? "block" : "inline"} ${source}`;
  const known = cache.get(key);
  if (known !== undefined) return known;
  const holder = document.createElement("span");
  try {
    katex.render(source, holder, { ...FORMULA_OPTIONS, displayMode: display });
  } catch {
    // TeX that KaTeX does not know is shown as it was written.
    holder.replaceChildren();
  }
  const formula = holder.hasChildNodes() ? toMathElements(holder.childNodes) : null;
  cache.set(key, formula);
  const [oldest] = cache.keys();
  if (cache.size > cacheSize && oldest !== undefined) cache.delete(oldest);
  return formula;
}

/** The part of a DOM node that is read. */
export interface MathSource {
  readonly nodeType: number;
  readonly nodeName: string;
  readonly textContent: string | null;
  readonly childNodes: Iterable<MathSource>;
  readonly attributes?: Iterable<{ readonly name: string; readonly value: string }>;
}

const textNode = 3;
/** What holds text; anywhere else browsers pass over it. */
const TOKENS = new Set(["mi", "mn", "mo", "ms", "mtext", "annotation"]);
/** KaTeX writes its spaces as bare characters, a narrowing one with U+2063 behind it. */
const SPACES: Record<string, string> = {
  "\u200A": "0.0556em",
  "\u2009": "0.1667em",
  "\u2005": "0.2222em",
  "\u2005\u200A": "0.2778em",
  "\u200A\u2063": "-0.0556em",
  "\u2009\u2063": "-0.1667em",
  "\u205F\u2063": "-0.2222em",
  "\u2005\u2063": "-0.2778em",
};

/** Turns MathML nodes into React elements; what is not known to be MathML keeps its content and loses its element. */
export function toMathElements(nodes: Iterable<MathSource>, parent = ""): ReactNode[] {
  return [...nodes].map((node, key) => {
    if (node.nodeType === textNode) {
      const width = TOKENS.has(parent) ? undefined : SPACES[node.textContent ?? ""];
      return width === undefined ? node.textContent : createElement("mspace", { key, width });
    }
    const name = node.nodeName.toLowerCase();
    const children = toMathElements(node.childNodes, name);
    const known = [...(node.attributes ?? [])].filter((attribute) => MATHML_ATTRIBUTES.has(attribute.name));
    const properties = Object.fromEntries(known.map((attribute) => [attribute.name, attribute.value]));
    return MATHML_ELEMENTS.has(name) ? createElement(name, { key, ...properties }, ...children) : children;
  });
}
