/** What of a memory goes along with a message: the newest facts that fit, in the order in which they came, so two turns begin alike. */
import { MEMORY_TOKENS } from "#shared/limits.ts";

const INTRODUCTION =
  "What this person had remembered about them in earlier chats, each with its handle. Use it where it helps, without saying that you know it unless they ask. Where their messages say otherwise, these hold.";

/** A fact as it is sent: `seq` is its handle and its place; `isUntrusted` where others may have written it, and its person has not made it their own. */
export type SentFact = { id: string; seq: number; text: string; isUntrusted: boolean };

export type MemorySection = { text: string; facts: SentFact[]; tokens: number };

/** The section of the system prompt; null for a memory without facts. */
export function composeSection(facts: readonly SentFact[]): MemorySection | null {
  let left = MEMORY_TOKENS - tokensOf(INTRODUCTION);
  const first = facts.findLastIndex((fact) => (left -= tokensOf(lineOf(fact))) < 0);
  const sent = facts.slice(first + 1);
  if (sent.length === 0) return null;
  const text = [INTRODUCTION, ...sent.map(lineOf)].join("\n");
  return { text, facts: sent, tokens: tokensOf(text) };
}

/** What a model calls a fact. */
export function factHandle({ seq }: Pick<SentFact, "seq">): string {
  return `m${seq}`;
}

function lineOf(fact: SentFact): string {
  return `- (${factHandle(fact)}) ${fact.text.replaceAll(/\s+/gu, " ")}`;
}

/** About how many tokens a text takes: four Latin characters to one, of other scripts every character. */
export function tokensOf(text: string): number {
  const nonLatin = text.match(/[^\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}]/gu)?.length ?? 0;
  return Math.ceil((text.length - nonLatin) / 4 + nonLatin) + 1;
}
