import { significantWords } from "./subject.ts";

/** A chat's knowledge as the product quotes it in the system prompt or before a question (`worker/library/passages/quote-passages.ts`). */
const KNOWLEDGE = /<(knowledge-[0-9a-f]{8})>\n([\s\S]*?)\n<\/\1>/g;
const HEADING = /^\[(\d+)\] (.*)$/;
/** A fact of the person's memory, as it goes along. */
const FACT = /^- \(m\d+\) (.*)$/gm;
/** Of a question's words so many must stand in a sentence that answers it. */
const SHARE = 0.5;
const STEM = 5;

type Line = { text: string; number: string; title: string };

/** What the quoted knowledge says to a question, with the number that it is cited by, or that it says nothing; null where there is no knowledge. */
export function knowledgeAnswer(given: string, prompt: string): string | null {
  const quoted = Array.from(given.matchAll(KNOWLEDGE), ([, , text = ""]) => text);
  if (quoted.length === 0) return null;
  const asked = stemsOf(prompt);
  const best = quoted
    .flatMap(linesOf)
    .map((line) => ({ ...line, share: shareOf(asked, stemsOf(line.text)) }))
    .reduce((first, other) => (other.share > first.share ? other : first), { text: "", number: "", title: "", share: 0 });
  if (best.share < SHARE) return "I looked into your knowledge, and nothing that I was given of it answers this.";
  return `In your knowledge, *${best.title.replaceAll(/[*_\\]/g, "")}* says: ${best.text} [${best.number}]`;
}

/** The facts about the person that went along, as a list. */
export function factsAnswer(given: string): string {
  const facts = Array.from(given.matchAll(FACT), ([, fact = ""]) => `- ${fact}`);
  return facts.length === 0 ? "I was told nothing about you." : `This is what I was told about you:\n\n${facts.join("\n")}`;
}

function linesOf(quoted: string): Line[] {
  let [number, title] = ["", ""];
  return quoted.split("\n").flatMap((line) => {
    const heading = HEADING.exec(line);
    if (heading) [, number = "", title = ""] = heading;
    if (heading || number === "") return [];
    return line
      .split(/(?<=[.!?])\s+/u)
      .map((text) => ({ text: text.replace(/^#+\s*/u, "").trim(), number, title }))
      .filter(({ text }) => text !== "");
  });
}

function stemsOf(text: string): Set<string> {
  return new Set(significantWords(text).map((word) => word.toLowerCase().slice(0, STEM)));
}

function shareOf(asked: ReadonlySet<string>, said: ReadonlySet<string>): number {
  return asked.size === 0 ? 0 : [...asked].filter((word) => said.has(word)).length / asked.size;
}
