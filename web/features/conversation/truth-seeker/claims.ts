export type Verdict = "holds" | "imprecise" | "wrong" | "unknown";

export type Claim = { verdict: Verdict; claim: string; reason: string | null };

/** A critique: its claims in order, and the rest of it as markdown. */
export type Critique = { claims: readonly Claim[]; rest: string };

const VERDICTS: readonly (readonly [RegExp, Verdict])[] = [
  [/^(?:holds|supported|true|correct)/i, "holds"],
  [/^(?:imprecise|doubtful|partly|misleading)/i, "imprecise"],
  [/^(?:wrong|false|incorrect)/i, "wrong"],
  [/^(?:no evidence|unverified|unknown|missing)/i, "unknown"],
];

/** Reads `- **Holds**: the claim — the reason` lines; one of another form leaves the whole critique as it is. */
export function readCritique(text: string): Critique {
  const heading = /^## Claims[ \t]*\n/m.exec(text);
  if (!heading) return { claims: [], rest: text };
  const below = text.slice(heading.index + heading[0].length);
  const next = /^## /m.exec(below)?.index ?? below.length;
  const [before, list, after] = [text.slice(0, heading.index), below.slice(0, next), below.slice(next)];
  const lines = list.split("\n").filter((line) => line.trim() !== "");
  const claims = lines.map(readClaim).filter((claim) => claim !== null);
  if (claims.length === 0 || claims.length < lines.length) return { claims: [], rest: text };
  return { claims, rest: `${before}${after}`.trim() };
}

function readClaim(line: string): Claim | null {
  const [, word = "", said = ""] = /^\s*(?:[-*]|\d+\.)\s+\*\*(.+?)[:.]?\*\*[:.]?\s+(.+)$/.exec(line) ?? [];
  const verdict = VERDICTS.find(([words]) => words.test(word))?.[1];
  if (!verdict) return null;
  const [claim = "", ...reasons] = said.split(/\s+[—–]\s+/);
  return { verdict, claim, reason: reasons.length === 0 ? null : reasons.join(" – ") };
}

/** The list of what a refined answer changed, as markdown and counted; the answer itself stands below. */
export function readChanges(text: string): { list: string; count: number } {
  const list = /^## What changed\s*\n([\s\S]*?)(?=^## |(?![\s\S]))/m.exec(text)?.[1]?.trim() ?? "";
  return { list, count: Array.from(list.matchAll(/^(?:[-*]|\d+\.)\s/gm)).length };
}
