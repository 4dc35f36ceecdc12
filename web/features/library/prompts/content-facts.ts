import { type BuiltIn, builtInsOf, parsePrompt, variablesOf } from "#shared/library/prompt-template.ts";

const FILLED: Record<BuiltIn, string> = {
  CURRENT_DATE: "the date",
  USER_NAME: "your name",
  CLIPBOARD: "the clipboard",
  SELECTION: "the selected text",
  LAST_ANSWER: "the answer before",
};

/** What is filled in by itself, in words. */
export function builtInLabel(name: BuiltIn): string {
  return FILLED[name];
}

/** What a prompt's form says of its content: what is asked for, what is filled in, and in how many steps it runs. */
export type ContentFacts = { asks: string[]; fills: string | null; steps: number };

/** The facts of a content. */
export function contentFacts(content: string): ContentFacts {
  const steps = parsePrompt(content);
  const parts = steps.flat();
  const filled = [...builtInsOf(parts)].map((name) => FILLED[name]);
  return {
    asks: variablesOf(parts).map(({ name }) => name),
    fills: filled.length === 0 ? null : sentence(`${listed(filled)} ${filled.length === 1 ? "is" : "are"} filled in.`),
    steps: steps.length,
  };
}

/** Words as a sentence names them: 'a, b and c'. */
export function listed(words: readonly string[]): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
