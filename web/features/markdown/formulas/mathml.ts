import { createElement, type ReactNode } from "react";
import { MATHML_ATTRIBUTES, MATHML_ELEMENTS } from "#shared/markdown/mathml.ts";

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
    const known = [...(node.attributes ?? [])].filter((attribute) => MATHML_ATTRIBUTES.has(attribute.name));
    const properties = Object.fromEntries(known.map((attribute) => [attribute.name, attribute.value]));
    return MATHML_ELEMENTS.has(name) ? createElement(name, { key, ...properties }, ...children) : children;
  });
}
