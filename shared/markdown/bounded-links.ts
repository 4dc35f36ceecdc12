/**
 * Bare addresses in a time that grows with the text alone. The packages look for one from each place where it may begin to the end of the
 * words around it, and at each mark within it to the end of the marks: a text without spaces takes them minutes.
 */
import type { Nodes, Root, RootContent } from "mdast";
import type { Extension as NodesExtension } from "mdast-util-from-markdown";
import { boundedNote } from "./bounded-note.ts";
import type { Construct, Extension, Point, TokenizeContext } from "micromark-util-types";

/** After so many beginnings of an address that came to none, no more are looked for in a run without a space. */
const TRIES = 4;
/** Longer runs are not looked through again for what the parser left. */
const RUN = 1_000;

const SPACE = /\s/;
const BEGINNING = /^(?:www\.|https?:\/\/)/i;
/** Marks that may stand behind an address: in such a row they stand in none. */
const MARKS = /(?:[!"'(),*.:;<?_~\]]|&[a-z]*){16,}/gi;
const LONG_RUN = new RegExp(`\\S{${RUN}}`);

/** From here to there, in characters of the text. */
type Range = readonly [number, number];
type Tried = { at: Point; times: number };

/** The parser's extension, where addresses, and notes behind a `!`, give up in time; none is found in `skipped`. */
export function boundedLinks({ text, ...rest }: Extension, skipped: readonly Range[] = []): Extension {
  const known = new Map<Construct, Construct>();
  const bound = (construct: Construct) => {
    const isLink = construct.name === "wwwAutolink" || construct.name === "protocolAutolink";
    if (!isLink && construct.name !== "gfmPotentialFootnoteCall") return construct;
    const bounded = known.get(construct) ?? (isLink ? boundedLink(construct, skipped) : boundedNote(construct));
    known.set(construct, bounded);
    return bounded;
  };
  const entries = Object.entries(text ?? {}).map(([sign, constructs]) => [sign, constructs && [constructs].flat().map(bound)]);
  return { ...rest, text: Object.fromEntries(entries) };
}

function boundedLink(construct: Construct, skipped: readonly Range[]): Construct {
  const tried = new WeakMap<TokenizeContext, Tried>();
  return {
    ...construct,
    tokenize(effects, ok, nok) {
      const at = this.now();
      const last = tried.get(this);
      const between = last === undefined ? " " : this.sliceSerialize({ start: last.at, end: at });
      const times = last === undefined || SPACE.test(between) ? 0 : last.times + (BEGINNING.test(between) ? 1 : 0);
      tried.set(this, { at, times });
      if (times >= TRIES || skipped.some(([from, to]) => from <= at.offset && at.offset < to)) return nok;
      const found: typeof ok = (code) => {
        tried.delete(this);
        return ok(code);
      };
      return construct.tokenize.call(this, effects, found, nok);
    },
  };
}

/** The runs without a space that hold a long row of marks. */
export function runsOfMarks(text: string): Range[] {
  const runs: [number, number][] = [];
  for (const { index } of text.matchAll(MARKS)) {
    const before = runs.at(-1);
    if (before && index < before[1]) continue;
    let [from, to] = [index, index];
    while (from > 0 && !SPACE.test(text.charAt(from - 1))) from -= 1;
    while (to < text.length && !SPACE.test(text.charAt(to))) to += 1;
    runs.push([from, to]);
  }
  return runs;
}

/** The extension whose transforms look for addresses among the nodes, but not in blocks with long runs. */
export function boundedTransforms(extension: NodesExtension): NodesExtension {
  const transforms = extension.transforms?.map((transform) => (tree: Root) => {
    for (const block of tree.children) if (!hasLongRun(block)) transform({ type: "root", children: [block] });
  });
  return transforms ? { ...extension, transforms } : extension;
}

function hasLongRun(block: RootContent): boolean {
  const left: Nodes[] = [block];
  for (let node = left.pop(); node; node = left.pop()) {
    if (node.type === "text" && LONG_RUN.test(node.value)) return true;
    if ("children" in node) left.push(...node.children);
  }
  return false;
}
