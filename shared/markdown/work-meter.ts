/**
 * Counts what the parser does. Its time grows with the square of some texts, and worse, in loops of many a construct: a clock
 * stands still while a Worker computes, so what those loops have in common is counted.
 */
import type { Attempt, Construct, Effects, Event, Extension, Resolver, Token, TokenizeContext, TokenType } from "micromark-util-types";

/** A unit is about a hundredth of a microsecond; what each step costs was measured with texts that were made to take long. */
const COST = {
  character: 1,
  look: 0.5,
  attempt: 6,
  token: 20,
  resolvedEvent: 1,
  openEvent: 1 / 32,
  slice: 10,
  moved: 1 / 4,
  name: 1 / 4,
} as const;

/** A parser's lists of constructs that are tried. */
const LISTS = ["contentInitial", "document", "flow", "flowInitial", "string", "text"] as const;

/** Thrown by a parse that would take more work than it may. */
export class TooMuchWork extends Error {}

/** So many units of work, for any number of parses. */
export class WorkMeter {
  #left: number;
  readonly #resolvers = new WeakMap<Resolver, Resolver>();
  readonly #constructs = new WeakMap<Construct, Construct>();
  readonly #counted = new WeakSet<object>();

  constructor(units: number) {
    this.#left = units;
  }

  get left(): number {
    return Math.max(0, this.#left);
  }

  /** Throws TooMuchWork as soon as there is nothing left. */
  spend(units: number): void {
    this.#left -= units;
    if (this.#left < 0) throw new TooMuchWork("This text takes too much work to parse.");
  }

  /** Has a parse count its work. It hangs on what a container may begin with and never matches: the parser has no other way in. */
  get syntax(): Extension {
    const count = (parser: TokenizeContext["parser"], effects: Effects, context: TokenizeContext) => {
      if (this.#isFirst(parser)) this.#countParser(parser);
      this.#countEffects(effects, { context, isDocument: true });
    };
    const begin: Construct = {
      name: "workMeter",
      tokenize(effects, _ok, nok) {
        count(this.parser, effects, this);
        return nok;
      },
    };
    return { document: { null: begin, ...Object.fromEntries("*+-0123456789>[".split("").map((sign) => [sign.charCodeAt(0), begin])) } };
  }

  #isFirst(what: object): boolean {
    const isFirst = !this.#counted.has(what);
    this.#counted.add(what);
    return isFirst;
  }

  #countParser(parser: TokenizeContext["parser"]): void {
    this.#countConstructs(parser.constructs);
    parser.gfmFootnotes ??= [];
    for (const names of [parser.defined, parser.gfmFootnotes]) {
      names.includes = (...what) => {
        this.spend(names.length * COST.name);
        return Array.prototype.includes.apply(names, what);
      };
    }
  }

  #countConstructs(constructs: TokenizeContext["parser"]["constructs"]): void {
    for (const list of LISTS) {
      const record = constructs[list];
      for (const [sign, tried] of Object.entries(record)) {
        if (tried) record[sign] = [tried].flat().map((construct) => this.#counting(construct, list === "document"));
      }
    }
    const { insideSpan } = constructs;
    insideSpan.null = insideSpan.null?.map((inside) => ({
      ...inside,
      ...(inside.resolveAll && { resolveAll: this.#resolver(inside.resolveAll) }),
    }));
  }

  #counting(construct: Construct, isDocument: boolean): Construct {
    const known = this.#constructs.get(construct);
    if (known) return known;
    const start = (effects: Effects, context: TokenizeContext) => {
      this.spend(COST.attempt);
      this.#countEffects(effects, { context, isDocument });
    };
    const counting: Construct = {
      ...construct,
      tokenize(effects, ok, nok) {
        start(effects, this);
        return construct.tokenize.call(this, effects, ok, nok);
      },
      ...(construct.resolve && { resolve: this.#resolver(construct.resolve) }),
      ...(construct.resolveTo && { resolveTo: this.#resolver(construct.resolveTo) }),
      ...(construct.resolveAll && { resolveAll: this.#resolver(construct.resolveAll) }),
    };
    this.#constructs.set(construct, counting);
    return counting;
  }

  /** The same for the same resolver, as the parser knows by it what was resolved already. */
  #resolver(resolve: Resolver): Resolver {
    const known = this.#resolvers.get(resolve);
    if (known) return known;
    const counting: Resolver = (events, context) => {
      this.spend(COST.attempt + events.length * COST.resolvedEvent + context.events.length * COST.openEvent);
      this.#countSlices(context);
      this.#countMoves(events);
      return resolve(events, context);
    };
    this.#resolvers.set(resolve, counting);
    return counting;
  }

  #countSlices(context: TokenizeContext): void {
    if (!this.#isFirst(context)) return;
    const { sliceSerialize } = context;
    context.sliceSerialize = (...slice) => {
      this.spend(COST.slice);
      return sliceSerialize(...slice);
    };
  }

  /** Taking some out of a list moves all behind them. */
  #countMoves(events: Event[]): void {
    if (Object.hasOwn(events, "splice")) return;
    events.splice = (start: number, removed = Infinity, ...added: Event[]) => {
      this.spend(COST.attempt + Math.max(0, events.length - start - removed) * COST.moved);
      return Array.prototype.splice.call(events, start, removed, ...added);
    };
  }

  #countEffects(effects: Effects, { context, isDocument }: { context: TokenizeContext; isDocument: boolean }): void {
    if (!this.#isFirst(effects)) return;
    this.#countMoves(context.events);
    const { consume, enter, attempt, check, interrupt } = effects;
    effects.consume = (code) => {
      this.spend(COST.character);
      consume(code);
    };
    effects.enter = (type, fields) => {
      this.spend(COST.token);
      return enter(type, Object.assign(new CountedToken(this), fields));
    };
    // Each keeps what is open, which in a document is all its containers.
    const openEvents = (events: readonly Event[]) => (isDocument ? events.length * COST.openEvent : 0);
    const counting =
      (tried: Attempt): Attempt =>
      (...what) => {
        this.spend(COST.attempt + openEvents(context.events));
        return tried(...what);
      };
    effects.attempt = counting(attempt);
    effects.check = counting(check);
    effects.interrupt = counting(interrupt);
  }
}

/** A token that counts how often it is looked at: whichever loop goes through a parser's events looks at their types. */
class CountedToken implements Pick<Token, "type"> {
  readonly #meter: WorkMeter;
  #type: TokenType = "data";

  constructor(meter: WorkMeter) {
    this.#meter = meter;
  }

  get type(): TokenType {
    this.#meter.spend(COST.look);
    return this.#type;
  }

  set type(type: TokenType) {
    this.#type = type;
  }
}
