import postcss, { type AtRule, type Container, type Document, type Rule } from "postcss";

/** A sheet for the first screen, and one of all utilities for what comes later. */
export type SplitSheet = { first: string; rest: string };

const CLASS_FIRST = /^\.((?:\\[0-9a-f]{1,6}\s?|\\.|[\w-])+)/i;

/**
 * Splits Tailwind's sheet: the first has everything but the utilities whose class `isNeeded` denies. The rest has all utilities,
 * not just those, because their order decides which of two wins: laid over the first sheet it makes the whole one.
 */
export function splitSheet(sheet: string, isNeeded: (className: string) => boolean): SplitSheet {
  const first = postcss.parse(sheet);
  const rest = postcss.root();
  first.walkAtRules("layer", (layer) => {
    if (layer.params !== "utilities") return;
    rest.append(layer.clone());
    layer.walkRules((rule) => keepNeeded(rule, layer, isNeeded));
  });
  return { first: first.toString(), rest: rest.toString() };
}

function keepNeeded(rule: Rule, layer: AtRule, isNeeded: (className: string) => boolean): void {
  const selectors = rule.selectors.filter((selector) => {
    const name = CLASS_FIRST.exec(selector)?.[1];
    return name === undefined || isNeeded(unescape(name));
  });
  if (selectors.length > 0) {
    rule.selectors = selectors;
    return;
  }
  let emptied: Container | Document | undefined = rule.parent;
  rule.remove();
  while (emptied && emptied !== layer && emptied.nodes?.length === 0) {
    const above: Container | Document | undefined = emptied.parent;
    emptied.remove();
    emptied = above;
  }
}

function unescape(name: string): string {
  return name
    .replaceAll(/\\([0-9a-f]{1,6})\s?/gi, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)))
    .replaceAll(/\\(.)/g, "$1");
}
