import { isFaultName, type FaultName } from "./faults.ts";

export type CallDirective = { name: string; arguments: string };

/** A fault and for how many requests of the same prompt it holds (Infinity: all). */
export type FaultDirective = { name: FaultName; times: number };

/** A source that the answer names as an annotation. */
export type CiteDirective = { url: string; title: string };

/** What one request of a turn should do. A line `then` opens the next round of a tool loop. */
export type Round = { calls: CallDirective[]; fault: FaultDirective | null; think: string | null; before: string | null };

/** What the last user message asks of the demonstration model. */
export type Directives = {
  rounds: Round[];
  say: string | null;
  bytes: number | null;
  /** Characters of one paragraph. */
  paragraph: number | null;
  /** Lines of one block of code. */
  lines: number | null;
  stamp: number | null;
  /** Tokens a second. */
  speed: number | null;
  /** Milliseconds before the first token. */
  delay: number | null;
  cites: CiteDirective[];
  checkReasoning: boolean;
  showRequest: boolean;
  /** The message without its directive lines. */
  prompt: string;
};

const LIMIT_CHARACTERS = 2_000_000;

function emptyRound(): Round {
  return { calls: [], fault: null, think: null, before: null };
}

/** Reads `fault NAME` or `fault NAME times N` (also without the leading word, as in the header). */
export function parseFault(text: string): FaultDirective | null {
  const match = /^(?:fault )?([a-z0-9_-]+)(?: times (\d{1,3}))?$/.exec(text.trim());
  if (!match?.[1] || !isFaultName(match[1])) return null;
  return { name: match[1], times: match[2] === undefined ? Infinity : Number(match[2]) };
}

function numberAfter(word: string, line: string): number | null {
  const match = new RegExp(`^${word} (\\d{1,7})$`).exec(line);
  return match ? Math.min(Number(match[1]), LIMIT_CHARACTERS) : null;
}

function parseCall(line: string): CallDirective | null {
  const match = /^call ([A-Za-z0-9_.-]{1,128}) (\{.*\}|"")$/.exec(line);
  if (!match?.[1]) return null;
  return { name: match[1], arguments: match[2] === '""' ? "" : (match[2] ?? "") };
}

/** No directive at all; for side calls that only quote a conversation. */
export function noDirectives(prompt: string): Directives {
  return {
    rounds: [],
    say: null,
    bytes: null,
    paragraph: null,
    lines: null,
    stamp: null,
    speed: null,
    delay: null,
    cites: [],
    checkReasoning: false,
    showRequest: false,
    prompt,
  };
}

/** What stands before the mark that ends a mail, and before what that quotes: the rest is the product's own, and no words to repeat. */
function textBeforeQuote(lines: readonly string[]): string {
  const end = lines.findIndex((line) => /^<\/mail-[0-9a-f]{8}>$/.test(line));
  const quote = lines.findIndex((line, index) => index < end && line === "[Earlier mails, as this one quotes them:]");
  const own = end === -1 ? lines : lines.slice(0, quote === -1 ? end : quote);
  return end === -1 ? own.join("\n") : own.join("\n").trimEnd();
}

/** Reads the directive lines of a user's message; a line of no known form is part of the prompt. */
export function parseDirectives(text: string): Directives {
  const found = noDirectives("");
  const lines = text.split("\n");
  const prompt: string[] = [];
  let round = emptyRound();
  let isRoundUsed = false;
  for (const [index, raw] of lines.entries()) {
    const line = raw.trimEnd();
    if (line.startsWith("say ")) {
      found.say = textBeforeQuote([raw.slice(4), ...lines.slice(index + 1)]);
      break;
    }
    const call = parseCall(line);
    const fault = line.startsWith("fault ") ? parseFault(line) : null;
    if (call) round.calls.push(call);
    else if (fault) round.fault = fault;
    else if (line.startsWith("think ")) round.think = line.slice(6);
    else if (line.startsWith("before ")) round.before = line.slice(7);
    else if (line === "then") {
      found.rounds.push(round);
      round = emptyRound();
      continue;
    } else {
      const isSetting = readSetting(line, found);
      if (!isSetting) prompt.push(raw);
      continue;
    }
    isRoundUsed = true;
  }
  if (isRoundUsed || found.rounds.length > 0) found.rounds.push(round);
  return { ...found, prompt: prompt.join("\n").trim() };
}

function readSetting(line: string, found: Directives): boolean {
  for (const name of ["bytes", "paragraph", "lines", "stamp", "speed", "delay"] as const) {
    const value = numberAfter(name, line);
    if (value === null) continue;
    found[name] = value;
    return true;
  }
  const cite = /^cite (https?:\/\/\S+)(?: (.+))?$/.exec(line);
  if (cite?.[1]) found.cites.push({ url: cite[1], title: cite[2] ?? "" });
  else if (line === "check reasoning") found.checkReasoning = true;
  else if (line === "show request") found.showRequest = true;
  else return false;
  return true;
}
