import type { Code, Construct, Effects, State, TokenizeContext } from "micromark-util-types";

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
export const dollarBlock = mathBlock([36, 36], [36, 36]);

/** `\[` blocks. */
export const bracketBlock = mathBlock([92, 91], [92, 93]);
