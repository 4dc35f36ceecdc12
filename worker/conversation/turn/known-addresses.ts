import { categoryOf } from "#worker/people/tool-settings/categories.ts";
import type { TurnRequest } from "./request.ts";
import { citationsOf, type PathRow } from "./path.ts";
import type { StoredCall, StoredRound } from "./round.ts";

type History = {
  rounds: ReadonlyMap<string, StoredRound[]>;
  request: TurnRequest;
  /** True where the chat came from a file: what its tools found anyone may have written. */
  isFromFile: boolean;
};

/** What a reply has found so far. */
type Now = { calls: readonly StoredCall[]; citations: readonly { url: string }[] };

/** Whether a turn's model was given an address of the web, so that whoever asks for it reveals no more than that. */
export type KnowsAddress = (url: string) => boolean;

/**
 * The addresses that a path gives a turn's model: those that its person wrote, and those that searches found. What stands in a page, a
 * mail or a file is none of them: its author could have put many there, for the model to tell them something by its choice.
 */
export function givenAddresses(path: readonly PathRow[], history: History): (now: Now) => KnowsAddress {
  return (now) => {
    let known: Set<string> | undefined;
    return (url) => {
      known ??= new Set([...addressesWritten(path, history.request), ...found(path, history), ...foundBy(now)].flatMap(spellingsOf));
      return known.has(url.trim());
    };
  };
}

/**
 * Addresses in what the person wrote, and in the question that a schedule of theirs or a program with their key asks, a page's change left
 * out. One that others wrote before, a model among them, was filled in or quoted from there: nobody knows whether the person chose it.
 */
function addressesWritten(path: readonly PathRow[], request: TurnRequest): string[] {
  const { userId } = request.reader;
  const isAsked = request.kind === "send" && (request.isByKey === true || request.schedule?.page === null);
  const asked = isAsked ? request.id : null;
  const ofOthers = new Set<string>();
  return path.flatMap((row) => {
    const addresses = addressesIn(row.content);
    if (row.role === "user" && (row.trusted_for === userId || row.id === asked))
      return addresses.filter((address) => !ofOthers.has(plain(address)));
    for (const address of addresses) ofOthers.add(plain(address));
    return [];
  });
}

/** What searches found in turns of this person: whoever had another one written could have had it find many. */
function found(path: readonly PathRow[], { rounds, request, isFromFile }: History): string[] {
  if (isFromFile) return [];
  return path.flatMap((row) => {
    if (row.payer_id !== request.reader.userId) return [];
    return foundBy({ calls: (rounds.get(row.id) ?? []).flatMap(({ calls }) => calls), citations: citationsOf(row) });
  });
}

function foundBy({ calls, citations }: Now): string[] {
  const sources = calls.filter(({ tool }) => categoryOf(tool)?.id === "search").flatMap((call) => call.sources);
  return [...citations, ...sources].map(({ url }) => url);
}

/** Longer than any address that is read. */
const LONGEST = 2_100;

/** The addresses that stand in a text, as people write them too. */
function addressesIn(text: string): string[] {
  return text.split(/[\s<>"'`|\\^{}]+/u).flatMap((word) => {
    if (word.length > LONGEST || !word.includes(".")) return [];
    const begins = word.replace(/^[([*_~]+/u, "");
    const linked = /https?:\/\/.*/iu.exec(begins)?.[0] ?? begins;
    const ended = withoutMarks(linked);
    return [linked, ended, ended.split("#", 1)[0] ?? ""];
  });
}

const MARKS = ".,;:!?*_~)]";

/** A word without the marks of the sentence that it ends. */
function withoutMarks(word: string): string {
  let end = word.length;
  while (end > 0 && MARKS.includes(word.charAt(end - 1))) end -= 1;
  return word.slice(0, end);
}

/** As people write an address, with or without its scheme. */
function parse(text: string): URL | null {
  return URL.parse(/^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `https://${text}`);
}

/**
 * How a model may spell an address that it was given: as it stands there, or as browsers write it, also without its fragment. Any other
 * spelling, be it of the scheme, a `www.` or a slash, is the model's choice, and whoever serves the address would see which it took.
 */
function spellingsOf(address: string): string[] {
  const text = address.trim();
  const url = parse(text);
  if (!url) return [text];
  const { href } = url;
  url.hash = "";
  return [text, href, url.href, ...(url.href === `${url.origin}/` ? [url.origin] : [])];
}

/** An address by what it may stand for: with or without its scheme, `www.` and last slash. */
function plain(address: string): string {
  const text = address.trim();
  const url = parse(text);
  // A name before the host is sent to it.
  if (!url || url.username !== "" || url.password !== "") return text;
  const scheme = url.protocol === "http:" || url.protocol === "https:" ? "" : url.protocol;
  return `${scheme}${url.host.replace(/^www\./, "")}${url.pathname.replace(/\/$/, "")}${url.search}${url.hash}`;
}
