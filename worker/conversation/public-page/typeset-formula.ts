/** Formulas of a public page as MathML; loaded with the first page that has one. */
import katex from "katex";
import { FORMULA_OPTIONS, MATHML_ATTRIBUTES, MATHML_ELEMENTS } from "#shared/markdown/mathml.ts";
import type { Typeset } from "./to-html.ts";

/** Characters of the longest formula that is set, and of all of one page: setting them takes some 20 µs each at worst. */
const FORMULA_LENGTH = 2_000;
const PAGE_LENGTH = 20_000;

/** Macros of one's own can make much of little. */
const DEFINITION = /\\(?:[gex]?def|(?:future)?let|(?:new|renew|provide)command)(?![A-Za-z])/;

const TAG = /<(\/?)([a-z]+)((?: [a-z:-]+="[^"]*")*)(\/?)>/g;

/** Sets the formulas of one page, until it has had its share of the time. */
export function createTypesetter(): Typeset {
  let left = PAGE_LENGTH;
  return (source, isDisplay) => {
    if (source.length > Math.min(left, FORMULA_LENGTH) || DEFINITION.test(source)) return null;
    left -= source.length;
    try {
      return onlyMathml(katex.renderToString(source, { ...FORMULA_OPTIONS, displayMode: isDisplay }));
    } catch {
      // TeX that KaTeX does not know, or nested more deeply than the stack holds, is shown as it was written.
      return null;
    }
  };
}

/** The markup without what is not known to be MathML; null where it is not made of tags and text. */
function onlyMathml(markup: string): string | null {
  if (markup.replaceAll(TAG, "").includes("<")) return null;
  return markup.replaceAll(TAG, (_, slash: string, name: string, given: string, end: string) => {
    if (!MATHML_ELEMENTS.has(name)) return "";
    const allowed = [...given.matchAll(/ ([a-z:-]+)="[^"]*"/g)].filter(([, attribute = ""]) => MATHML_ATTRIBUTES.has(attribute));
    return `<${slash}${name}${allowed.map(([attribute]) => attribute).join("")}${end}>`;
  });
}
