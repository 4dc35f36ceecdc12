import katex from "katex";
import type { ReactNode } from "react";
import { FORMULA_OPTIONS } from "#shared/markdown/mathml.ts";
import "./formula.css";
import { toMathElements } from "./mathml.ts";

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
