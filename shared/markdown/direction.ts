import type { Nodes } from "mdast";

const LETTER = /\p{L}/u;
const RIGHT_TO_LEFT =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}\p{Script=Samaritan}\p{Script=Mandaic}]/u;

/**
 * The direction of a list, quote or table by the first letter in it; undefined where it has none. `dir="auto"` can't tell: it
 * looks past everything that has a direction of its own, as the paragraphs within do.
 */
export function directionOf(node: Nodes): "ltr" | "rtl" | undefined {
  const letter = firstLetter(node);
  if (letter === undefined) return undefined;
  return RIGHT_TO_LEFT.test(letter) ? "rtl" : "ltr";
}

function firstLetter(node: Nodes): string | undefined {
  if (node.type === "text") return LETTER.exec(node.value)?.[0];
  if (!("children" in node)) return undefined;
  for (const child of node.children) {
    const letter = firstLetter(child);
    if (letter !== undefined) return letter;
  }
  return undefined;
}
