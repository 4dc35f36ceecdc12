import type { Construct, Extension, State, TokenizeContext } from "micromark-util-types";

/** Definitions that stand outside the parsed text; identifiers as in mdast (lower case). */
export interface KnownReferences {
  readonly links: readonly string[];
  readonly footnotes: readonly string[];
}

export const noReferences: KnownReferences = { links: [], footnotes: [] };

const keys = new WeakMap<readonly string[], ReadonlySet<string>>();

function keysOf(identifiers: readonly string[]): ReadonlySet<string> {
  const known = keys.get(identifiers) ?? new Set(identifiers.map((identifier) => identifier.toUpperCase()));
  keys.set(identifiers, known);
  return known;
}

function addMissing(list: string[], identifiers: readonly string[]) {
  const present = new Set(list);
  for (const key of keysOf(identifiers)) if (!present.has(key)) list.push(key);
}

/**
 * Lets references resolve whose definitions were read elsewhere. It hangs on the characters that open a reference
 * and never matches: micromark has no other way in to its lists of definitions.
 */
export function withKnownReferences(known: KnownReferences): Extension {
  const seeded = new WeakSet<object>();
  const seed: Construct = {
    name: "knownReferences",
    tokenize(this: TokenizeContext, _effects, _ok, nok): State {
      const { parser } = this;
      if (seeded.has(parser)) return nok;
      seeded.add(parser);
      parser.gfmFootnotes ??= [];
      addMissing(parser.defined, known.links);
      addMissing(parser.gfmFootnotes, known.footnotes);
      return nok;
    },
  };
  return { text: { 33: seed, 91: seed } };
}
