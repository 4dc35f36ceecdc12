import { quote, significantWords } from "./subject.ts";

/** What a request about a draft asks for, by its instructions: to list its claims, to criticise it, or to refine it. */
const WORK: readonly (readonly [RegExp, (material: Material) => string])[] = [
  [/\bdraft\b[\s\S]*\bclaims\b[\s\S]*\bSEARCH:/, listClaims],
  [/\bdraft\b[\s\S]*## Claims\b/, criticise],
  [/\bRewrite the draft\b[\s\S]*## What changed\b/, refine],
];

type Material = { question: string; subject: string; sources: string[] };

/** The demonstration's part in checking a draft: plain about what it is, in the form that was asked for; null for any other request. */
export function draftAnswer(system: string, prompt: string): string | null {
  const work = WORK.find(([words]) => words.test(system))?.[1];
  if (!work) return null;
  const question = /^Question:\n([^\n]+)/.exec(prompt)?.[1] ?? "the question";
  const subject = significantWords(question).slice(0, 5).join(" ") || "this";
  return work({
    question,
    subject,
    sources: Array.from(prompt.matchAll(/^\[\d+\] .+? \(https?:/gm), ([line]) => line.replace(/ \(https?:$/, "")),
  });
}

function listClaims({ subject }: Material): string {
  return `- What the draft says about ${subject} holds in general.\n- What it says holds today, and not only when it was first written.\n\nSEARCH: ${subject}\nSEARCH: ${subject} evidence`;
}

function criticise({ question, sources }: Material): string {
  const claims = sources.slice(0, 2).map((source) => {
    const [, number, title] = /^\[(\d+)\] (.+)$/.exec(source) ?? [];
    return `- **Imprecise**: What ${quote(title ?? "", 60)} says is missing. — The page itself tells more [${number}].`;
  });
  return [
    `## Claims\n\n${claims.join("\n") || "- **No evidence**: The draft as a whole. — Nothing that was found bears on it."}`,
    `## Doubts\n\n- The draft answers ${quote(question)} without saying how sure it is.`,
    "## Missing evidence\n\n- A number, and where it comes from.\n- What a real model would have looked for: I am the demo model, and this critique is prepared.",
  ].join("\n\n");
}

function refine({ question, sources }: Material): string {
  const [, number] = /^\[(\d+)\]/.exec(sources[0] ?? "") ?? [];
  return [
    `On ${quote(question)}: it depends on who is asked and what is measured${number ? ` [${number}]` : " [1]"}. I am the demo model, so this answer shows the form and not the truth.`,
    "## What changed\n\n- The draft's general words gave way to one statement with its source, as the critique asked.\n- It now says how sure it is.",
    "## Still uncertain\n\n- Whether the source fits the question; reading it would settle that.",
  ].join("\n\n");
}
