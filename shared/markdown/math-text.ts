import type { Code, Construct, State, TokenizeContext } from "micromark-util-types";

/** Formulas in running text end within this many characters, so an unpaired delimiter stays text. */
export const longestInlineMath = 2_000;

const dollar = 36;
const backslash = 92;
const backtick = 96;
const closers: Partial<Record<number, number>> = { 40: 41, 91: 93 };

const isLineEnding = (code: Code) => code !== null && code < -2;
const isSpace = (code: Code) => code === null || code < 0 || code === 32;
const isAlphanumeric = (code: Code) => code !== null && code > 0 && /[\p{L}\p{N}]/u.test(String.fromCodePoint(code));

/** `$5, or 10$` has the shape of a formula but reads as money: it starts with a number and goes on in plain words. */
function readsAsPrice(content: string): boolean {
  return /^\d/.test(content) && !content.includes("\\") && /(^|[^\p{L}])\p{L}{2,}/u.test(content);
}

/** `\[1\]` is how converters escape brackets; a formula has a space inside the delimiter or some operator. */
function readsAsBracketedText(content: string): boolean {
  return !/^\s|[\\^_=+<>{}]/.test(content);
}

/** Reads the body up to its delimiter: shared by both delimiters, which only differ in how they open and close. */
function tokenizeBody(
  effects: Parameters<Construct["tokenize"]>[0],
  options: { atEnd: (code: Code, content: string) => State | undefined; nok: State },
) {
  let content = "";
  let isInData = false;

  const leaveData = () => {
    if (isInData) effects.exit("mathTextData");
    isInData = false;
  };
  const take = (code: Code) => {
    if (!isInData) effects.enter("mathTextData");
    isInData = true;
    content += code !== null && code > 0 ? String.fromCodePoint(code) : " ";
    effects.consume(code);
  };
  const next: State = (code) => {
    if (code === null || content.length > longestInlineMath) return options.nok(code);
    const end = options.atEnd(code, content);
    if (end) return end(code);
    if (isLineEnding(code)) {
      leaveData();
      effects.enter("lineEnding");
      effects.consume(code);
      effects.exit("lineEnding");
      content += " ";
    } else {
      take(code);
    }
    return next;
  };
  return { next, take, leaveData };
}

function tokenizeDollars(this: TokenizeContext, effects: Parameters<Construct["tokenize"]>[0], ok: State, nok: State): State {
  const before = this.previous;
  let opening = 0;
  let closing = 0;

  const body = tokenizeBody(effects, {
    nok,
    atEnd: (code, content) => {
      if (opening === 1 && code === backtick) return nok;
      if (code !== dollar || content.endsWith("\\")) return undefined;
      if (opening === 1 && (isSpace(content.codePointAt(content.length - 1) ?? null) || readsAsPrice(content))) return nok;
      if (opening === 2 && content.trim() === "") return nok;
      body.leaveData();
      effects.enter("mathTextSequence");
      return close;
    },
  });
  const close: State = (code) => {
    if (code === dollar && closing < opening) {
      effects.consume(code);
      closing += 1;
      return close;
    }
    if (closing < opening || code === dollar || (opening === 1 && isAlphanumeric(code))) return nok(code);
    effects.exit("mathTextSequence");
    effects.exit("mathText");
    return ok(code);
  };
  const open: State = (code) => {
    if (code === dollar) {
      effects.consume(code);
      opening += 1;
      return opening > 2 ? nok : open;
    }
    if (opening === 1 && (isSpace(code) || isAlphanumeric(before))) return nok(code);
    effects.exit("mathTextSequence");
    return body.next(code);
  };
  return (code) => {
    effects.enter("mathText");
    effects.enter("mathTextSequence");
    return open(code);
  };
}

function tokenizeBackslash(effects: Parameters<Construct["tokenize"]>[0], ok: State, nok: State): State {
  let closer: number | undefined;

  const finish: State = (code) => {
    effects.consume(code);
    effects.exit("mathTextSequence");
    effects.exit("mathText");
    return ok;
  };
  const body = tokenizeBody(effects, {
    nok,
    atEnd: (code, content) => {
      if (code !== backslash) return undefined;
      return (start) => effects.check({ tokenize: tokenizeCloser, partial: true }, readsAsText(content) ? nok : leave, escape)(start);
    },
  });
  const readsAsText = (content: string) => content.trim() === "" || (closer === 93 && readsAsBracketedText(content));
  const leave: State = (code) => {
    body.leaveData();
    effects.enter("mathTextSequence");
    effects.consume(code);
    return finish;
  };
  const escape: State = (code) => {
    body.take(code);
    return afterEscape;
  };
  const afterEscape: State = (code) => {
    if (code === null || isLineEnding(code)) return body.next(code);
    // It holds none of its kind: else each of many openers would be looked for an end all the way.
    if (closers[code] === closer) return nok(code);
    body.take(code);
    return body.next;
  };
  function tokenizeCloser(inner: Parameters<Construct["tokenize"]>[0], found: State, missing: State): State {
    return (code) => {
      inner.enter("mathTextSequence");
      inner.consume(code);
      return (second) => {
        if (second !== closer) return missing(second);
        inner.consume(second);
        inner.exit("mathTextSequence");
        return found;
      };
    };
  }
  return (code) => {
    effects.enter("mathText");
    effects.enter("mathTextSequence");
    effects.consume(code);
    return (second) => {
      closer = second === null ? undefined : closers[second];
      if (closer === undefined) return nok(second);
      effects.consume(second);
      effects.exit("mathTextSequence");
      return body.next;
    };
  };
}

/** `$x$` with guards against prices (as in pandoc: no space inside, nothing alphanumeric outside) and `$$x$$`. */
export const dollarMath: Construct = {
  name: "mathText",
  tokenize: tokenizeDollars,
  previous(code) {
    return code !== dollar || this.events[this.events.length - 1]?.[1].type === "characterEscape";
  },
};

/** `\(x\)` and `\[x\]`, as many models write them. */
export const backslashMath: Construct = { name: "mathText", tokenize: tokenizeBackslash };
