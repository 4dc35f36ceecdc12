import type { Nodes, Root, RootContent } from "mdast";
import { type Extension as NodesExtension, fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { gfm } from "micromark-extension-gfm";
import type { Code, Construct, Effects, Event, Extension, Point, State, Token, TokenizeContext } from "micromark-util-types";
import { type KnownReferences, noReferences, withKnownReferences } from "./known-references.ts";
import { mathNodes } from "./math-nodes.ts";
import { backslashMath, dollarMath } from "./math-text.ts";

const isLineEnding = (code: Code): code is number => code !== null && code < -2;
const isSpace = (code: Code) => code === -2 || code === -1 || code === 32;

/** Consumes a fence's two markers and the blanks after them; anything else on the line refuses it. */
function tokenizeFence(markers: readonly [number, number]) {
  return (effects: Effects, ok: State, nok: State): State => {
    const blanks: State = (code) => {
      if (isSpace(code)) {
        effects.consume(code);
        return blanks;
      }
      if (code !== null && !isLineEnding(code)) return nok(code);
      effects.exit("mathFlowFence");
      return ok(code);
    };
    return (first) => {
      if (first !== markers[0]) return nok(first);
      effects.enter("mathFlowFence");
      effects.consume(first);
      return (second) => {
        if (second !== markers[1]) return nok(second);
        effects.consume(second);
        return blanks;
      };
    };
  };
}

function tokenizeNextLine(this: TokenizeContext, effects: Effects, ok: State, nok: State): State {
  return (code) => {
    if (!isLineEnding(code)) return nok(code);
    effects.enter("lineEnding");
    effects.consume(code);
    effects.exit("lineEnding");
    return (first) => (this.parser.lazy[this.now().line] ? nok(first) : ok(first));
  };
}

/**
 * A block between two fences; the opening one stands alone on its line, the closing one ends a line.
 * An unclosed block runs to the end of its container, like a code fence.
 */
function mathBlock(opening: readonly [number, number], closing: readonly [number, number]): Construct {
  const nextLine: Construct = { tokenize: tokenizeNextLine, partial: true };
  const closingFence: Construct = { tokenize: tokenizeFence(closing), partial: true };
  const openingFence: Construct = { tokenize: tokenizeFence(opening), partial: true };

  function tokenize(this: TokenizeContext, effects: Effects, ok: State, nok: State): State {
    let isInValue = false;
    const leaveValue = () => {
      if (isInValue) effects.exit("mathFlowValue");
      isInValue = false;
    };
    const done: State = (code) => {
      effects.exit("mathFlow");
      return ok(code);
    };
    const content: State = (code) => {
      if (code === null) {
        leaveValue();
        return done(code);
      }
      if (isLineEnding(code)) {
        leaveValue();
        return effects.attempt(nextLine, content, done)(code);
      }
      if (code !== closing[0]) return take(code);
      // An attempt inside an open token could not close the token first, so look before leaping.
      return effects.check(closingFence, close, take)(code);
    };
    const close: State = (code) => {
      leaveValue();
      return effects.attempt(closingFence, done, nok)(code);
    };
    const take: State = (code) => {
      if (!isInValue) effects.enter("mathFlowValue");
      isInValue = true;
      effects.consume(code);
      return code === 92 ? takeEscaped : content;
    };
    const takeEscaped: State = (code) => {
      if (code === null || isLineEnding(code)) return content(code);
      effects.consume(code);
      return content;
    };
    const afterOpening: State = (code) => (this.interrupt ? ok(code) : effects.attempt(nextLine, content, done)(code));
    return (code) => {
      effects.enter("mathFlow");
      return effects.attempt(openingFence, afterOpening, nok)(code);
    };
  }
  return { name: "mathFlow", tokenize, concrete: true };
}

/** `$$` blocks; text after the opening fence makes it running text, as models write `$$x$$` in a line. */
const dollarBlock = mathBlock([36, 36], [36, 36]);

/** `\[` blocks. */
const bracketBlock = mathBlock([92, 91], [92, 93]);

/**
 * Bare addresses in a time that grows with the text alone. The packages look for one from each place where it may begin to the end of the
 * words around it, and at each mark within it to the end of the marks: a text without spaces takes them minutes.
 */

/**
 * A footnote's mark behind a `!` in a time that grows with the text alone. At each `]` the package looks for the `![` through all that
 * was read before: a text of nothing but `]` takes it minutes.
 */

/** No label is longer, in characters. */
const LABEL = 1_000;

/** What `]` may close instead, or stands between. */
const OTHERS: ReadonlySet<string> = new Set(["gfmFootnoteCall", "labelLink", "label", "image", "link"]);

/** The last `![` before an event, where nothing else stands between. */
type LastScan = { event: Event | undefined; opening: Token | undefined };

/** The construct, which looks no further back than where it looked before, and takes no more than a label's length. */
function boundedNote(construct: Construct): Construct {
  const scans = new WeakMap<TokenizeContext, LastScan>();
  return {
    ...construct,
    tokenize(effects, ok, nok) {
      const opening = openingIn(this.events, scans.get(this));
      scans.set(this, { event: this.events.at(-1), opening });
      if (!opening || this.now().offset - opening.end.offset > LABEL) return nok;
      return construct.tokenize.call(this, effects, ok, nok);
    },
  };
}

function openingIn(events: readonly Event[], before: LastScan | undefined): Token | undefined {
  for (let index = events.length - 1; index >= 0; index -= 1) {
    const event = events[index];
    if (!event || event === before?.event) return before?.opening;
    const [, token] = event;
    if (token.type === "labelImage") return token;
    if (OTHERS.has(token.type)) return undefined;
  }
  return undefined;
}

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
function boundedLinks({ text, ...rest }: Extension, skipped: readonly Range[] = []): Extension {
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
function runsOfMarks(text: string): Range[] {
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
function boundedTransforms(extension: NodesExtension): NodesExtension {
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

const mathSyntax: Extension = {
  flow: { 36: dollarBlock, 92: bracketBlock },
  text: { 36: dollarMath, 92: backslashMath },
};
const github = gfm();
const githubInTime = boundedLinks(github);
const nodes = [gfmFromMarkdown().map(boundedTransforms), mathNodes];

/**
 * Parses CommonMark with GitHub's extensions and formulas in `$`, `$$`, `\(` and `\[`; `known` adds definitions made elsewhere,
 * `more` whatever else the parser should do.
 */
export function parseMarkdown(text: string, known: KnownReferences = noReferences, more: readonly Extension[] = []): Root {
  const crowded = runsOfMarks(text);
  const links = crowded.length === 0 ? githubInTime : boundedLinks(github, crowded);
  const isSeeded = known.links.length + known.footnotes.length > 0;
  return fromMarkdown(text, {
    extensions: [links, mathSyntax, ...(isSeeded ? [withKnownReferences(known)] : []), ...more],
    mdastExtensions: nodes,
  });
}
