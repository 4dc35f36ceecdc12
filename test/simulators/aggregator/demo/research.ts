import { findPages } from "../../fixed-web/fixed-web.ts";
import { significantWords } from "./subject.ts";

/** What a step of a research asks for, by its instructions; the report by the message itself. */
const WORK: readonly (readonly [RegExp, (prompt: string) => string])[] = [
  [/^You plan a research\b/, planAnswer],
  [/^You check what a research has found\b/, gapsAnswer],
  [/^You take notes for a report\b/, notesAnswer],
];
const REPORT = /^Now write the report that answers my last message\b/;

const SUB_QUESTION = /^Sub-question:\n([^\n]+)\n([\s\S]*?)(?=\n\nSub-question:\n|$(?![\s\S]))/gm;
const PAGE = /^\[(\d+)\] (.+?) \(https?:[^)]*\)\n([^\n]+)/gm;
const PAGES_PLANNED = 2;
const NOTED = 3;

/** The demonstration's part in a research, over the fixed web: a plan, a look for gaps, notes, a report; null for any other request. */
export function researchAnswer(system: string, prompt: string): string | null {
  if (REPORT.test(prompt)) return reportAnswer(prompt);
  return WORK.find(([words]) => words.test(system))?.[1](prompt) ?? null;
}

function questionOf(prompt: string): string {
  return /(?:^|\n)Question:\n([^\n]+)/.exec(prompt)?.[1] ?? "";
}

function subjectOf(prompt: string): string {
  return significantWords(questionOf(prompt)).slice(0, 5).join(" ").toLowerCase() || "the question";
}

/** Sub-questions about the pages that fit best, so there is something to find, and two that any question has. */
function planAnswer(prompt: string): string {
  const subject = subjectOf(prompt);
  const known = findPages(questionOf(prompt))
    .slice(0, PAGES_PLANNED)
    .map(({ title }) => ({
      question: `What is said under “${title}”?`,
      queries: [significantWords(title).slice(0, 5).join(" "), subject],
    }));
  const questions = [
    ...known,
    { question: `Which figures are there on ${subject}?`, queries: [`${subject} figures`, `${subject} measured`] },
    { question: `What has changed lately with ${subject}?`, queries: [`${subject} latest`] },
  ];
  return `\`\`\`json\n${JSON.stringify({ questions }, null, 2)}\n\`\`\``;
}

function gapsAnswer(prompt: string): string {
  const subject = subjectOf(prompt);
  return JSON.stringify({ gaps: [{ question: `What is disputed about ${subject}?`, queries: [`${subject} evidence`] }] });
}

function notesAnswer(prompt: string): string {
  const pages = Array.from(prompt.matchAll(PAGE)).slice(0, NOTED);
  const notes = pages.map(([, number, , text = ""]) => `- ${text.split(/(?<=[.!?]) /)[0]} [${number}]`);
  return notes.join("\n") || "- The pages leave this open.";
}

function reportAnswer(prompt: string): string {
  const found = Array.from(prompt.matchAll(SUB_QUESTION), ([, question = "", text = ""]) => ({
    question,
    notes: text.split("\n").filter((line) => line.startsWith("- ")),
    why: /^Not found out: (.+)/m.exec(text)?.[1] ?? null,
  }));
  const noted = found.filter(({ notes }) => notes.length > 0);
  const missing = found.filter(({ notes }) => notes.length === 0);
  const first = noted[0]?.notes[0]?.slice(2) ?? "Nothing could be found out.";
  return [
    `${first} This report shows the form of a research; I am the demo model, so its sentences are quoted from the pages and not weighed.`,
    ...noted.map(({ question, notes }) => `## ${question.replace(/\?$/, "")}\n\n${notes.join("\n")}`),
    `## What stays uncertain\n\n${["- Whether other pages say otherwise: only a small, fixed web was searched.", ...missing.map(({ question, why }) => `- ${question} ${why ?? "was not found out."}`)].join("\n")}`,
  ].join("\n\n");
}
