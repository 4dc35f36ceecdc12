/**
 * A footnote's mark behind a `!` in a time that grows with the text alone. At each `]` the package looks for the `![` through all that
 * was read before: a text of nothing but `]` takes it minutes.
 */
import type { Construct, Event, Token, TokenizeContext } from "micromark-util-types";

/** No label is longer, in characters. */
const LABEL = 1_000;

/** What `]` may close instead, or stands between. */
const OTHERS: ReadonlySet<string> = new Set(["gfmFootnoteCall", "labelLink", "label", "image", "link"]);

/** The last `![` before an event, where nothing else stands between. */
type Looked = { event: Event | undefined; opening: Token | undefined };

/** The construct, which looks no further back than where it looked before, and takes no more than a label's length. */
export function boundedNote(construct: Construct): Construct {
  const looked = new WeakMap<TokenizeContext, Looked>();
  return {
    ...construct,
    tokenize(effects, ok, nok) {
      const opening = openingIn(this.events, looked.get(this));
      looked.set(this, { event: this.events.at(-1), opening });
      if (!opening || this.now().offset - opening.end.offset > LABEL) return nok;
      return construct.tokenize.call(this, effects, ok, nok);
    },
  };
}

function openingIn(events: readonly Event[], before: Looked | undefined): Token | undefined {
  for (let index = events.length - 1; index >= 0; index -= 1) {
    const event = events[index];
    if (!event || event === before?.event) return before?.opening;
    const [, token] = event;
    if (token.type === "labelImage") return token;
    if (OTHERS.has(token.type)) return undefined;
  }
  return undefined;
}
