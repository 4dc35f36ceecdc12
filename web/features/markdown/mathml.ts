import { createElement, type ReactNode } from "react";

const elements = new Set(
  (
    "math semantics annotation mrow mi mn mo ms mtext mspace mfrac msqrt mroot mstyle mpadded mphantom merror menclose " +
    "msub msup msubsup munder mover munderover mmultiscripts mprescripts mtable mtr mtd mlabeledtr"
  ).split(" "),
);

/** Attributes as React names them; none of them can carry an address or code. */
const attributes = new Set(
  (
    "display displaystyle scriptlevel mathvariant mathcolor mathbackground mathsize stretchy fence separator largeop movablelimits " +
    "symmetric accent accentunder form lspace rspace minsize maxsize width height depth voffset linethickness notation encoding " +
    "rowspacing columnspacing columnalign rowalign columnlines rowlines rowspan columnspan side"
  ).split(" "),
);

/** The part of a DOM node that is read. */
export interface MathSource {
  readonly nodeType: number;
  readonly nodeName: string;
  readonly textContent: string | null;
  readonly childNodes: Iterable<MathSource>;
  readonly attributes?: Iterable<{ readonly name: string; readonly value: string }>;
}

const textNode = 3;

/** Turns MathML nodes into React elements; what is not known to be MathML keeps its content and loses its element. */
export function toMathElements(nodes: Iterable<MathSource>): ReactNode[] {
  return [...nodes].map((node, key) => {
    if (node.nodeType === textNode) return node.textContent;
    const children = toMathElements(node.childNodes);
    const name = node.nodeName.toLowerCase();
    const known = [...(node.attributes ?? [])].filter((attribute) => attributes.has(attribute.name));
    const properties = Object.fromEntries(known.map((attribute) => [attribute.name, attribute.value]));
    return elements.has(name) ? createElement(name, { key, ...properties }, ...children) : children;
  });
}
