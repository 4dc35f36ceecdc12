import { splitSteps } from "./chain.ts";

/** How many different variables a prompt asks for, and how many choices one of them offers; what goes beyond stays literal. */
export const VARIABLES_PER_PROMPT = 100;
export const CHOICES_PER_VARIABLE = 100;

/** What is filled in without being asked for. `LAST_ANSWER` of a workflow's later steps is known once they run. */
export const BUILT_INS = ["CURRENT_DATE", "USER_NAME", "CLIPBOARD", "SELECTION", "LAST_ANSWER"] as const;
export type BuiltIn = (typeof BUILT_INS)[number];

/** What a prompt asks for: any text, perhaps with a default, or one of several choices. */
export type Variable = { name: string } & ({ kind: "text"; fallback: string } | { kind: "choice"; choices: string[] });

/** A run of a template: text as it stands, or a place to fill, with what stands there until it is. */
export type TemplatePart =
  | { kind: "text"; text: string }
  | { kind: "variable"; text: string; variable: Variable }
  | { kind: "built_in"; text: string; name: BuiltIn };

/** What is filled in, by name. */
export type TemplateValues = {
  variables: Readonly<Record<string, string>>;
  builtIns: Readonly<Partial<Record<BuiltIn, string>>>;
};

/** A run of a filled template: `filled` by the person, or a `built_in`. What is `open` has no value, and stands as it was written. */
export type FilledPart = { kind: "text" | "filled" | "built_in" | "open"; text: string };

// No brace within, so each start is read no further than to the next one: linear whatever the text.
const PLACE = /\{\{([^{}\r\n]*)\}\}/g;
const NAME = /^[\p{L}\p{M}\p{N}_ ]+$/u;
const UPPER_CASE = /^[A-Z][A-Z0-9_]*$/;
const NAME_END = /[:=]/;

/** Reads a template; its parts joined are the template, byte for byte. */
export function parseTemplate(template: string): TemplatePart[] {
  const parts: TemplatePart[] = [];
  const names = new Set<string>();
  let read = 0;
  for (const match of template.matchAll(PLACE)) {
    const [text, inner = ""] = match;
    const place = placeOf(text, inner);
    if (place === null) continue;
    if (place.kind === "variable") {
      const { name } = place.variable;
      if (!names.has(name) && names.size === VARIABLES_PER_PROMPT) continue;
      names.add(name);
    }
    if (match.index > read) parts.push({ kind: "text", text: template.slice(read, match.index) });
    parts.push(place);
    read = match.index + text.length;
  }
  if (read < template.length) parts.push({ kind: "text", text: template.slice(read) });
  return parts;
}

function placeOf(text: string, inner: string): TemplatePart | null {
  const end = inner.search(NAME_END);
  const name = (end === -1 ? inner : inner.slice(0, end)).trim();
  if (!NAME.test(name)) return null;
  if (UPPER_CASE.test(name)) {
    const builtIn = BUILT_INS.find((known) => known === name);
    return builtIn !== undefined && end === -1 ? { kind: "built_in", text, name: builtIn } : null;
  }
  const rest = end === -1 ? "" : inner.slice(end + 1);
  if (inner[end] !== ":") return { kind: "variable", text, variable: { kind: "text", name, fallback: rest.trim() } };
  const named = rest.split(",").map((choice) => choice.trim());
  const choices = [...new Set(named)].filter((choice) => choice !== "");
  if (choices.length === 0 || choices.length > CHOICES_PER_VARIABLE) return null;
  return { kind: "variable", text, variable: { kind: "choice", name, choices } };
}

/** What a template asks for, each name once, in order of first appearance; what an occurrence says of choices or a default holds for all. */
export function variablesOf(parts: readonly TemplatePart[]): Variable[] {
  const variables = new Map<string, Variable>();
  for (const part of parts) {
    if (part.kind !== "variable") continue;
    const existing = variables.get(part.variable.name);
    if (existing === undefined || isPlain(existing)) variables.set(part.variable.name, part.variable);
  }
  return [...variables.values()];
}

function isPlain(variable: Variable): boolean {
  return variable.kind === "text" && variable.fallback === "";
}

export function builtInsOf(parts: readonly TemplatePart[]): Set<BuiltIn> {
  return new Set(parts.flatMap((part) => (part.kind === "built_in" ? [part.name] : [])));
}

/** What a variable has before anything is typed: its default, the first of its choices. */
export function initialValue(variable: Variable): string {
  return variable.kind === "choice" ? (variable.choices[0] ?? "") : variable.fallback;
}

/**
 * Fills a template in one pass, so braces in a value mean nothing. What is sent is these parts' text joined, and the
 * preview shows the same parts. A variable left empty has its default; without one it stays as it was written.
 */
export function fillTemplate(parts: readonly TemplatePart[], { variables, builtIns }: TemplateValues): FilledPart[] {
  const values = new Map(Object.entries(variables));
  const defaults = new Map(variablesOf(parts).map((variable) => [variable.name, initialValue(variable)]));
  return parts.map((part) => {
    if (part.kind === "text") return part;
    const value = part.kind === "built_in" ? builtIns[part.name] : values.get(part.variable.name) || defaults.get(part.variable.name);
    if (value === undefined || value === "") return { kind: "open", text: part.text };
    return { kind: part.kind === "built_in" ? "built_in" : "filled", text: value };
  });
}

/** The text of filled parts: what is sent. */
export function filledText(parts: readonly FilledPart[]): string {
  return parts.map(({ text }) => text).join("");
}

/** A prompt's steps, read: split before anything is filled in, so no value makes a step. A plain prompt has one. */
export function parsePrompt(content: string): TemplatePart[][] {
  return splitSteps(content).map(parseTemplate);
}

/** How many steps a prompt runs in, and how many variables it asks for. */
export function countStepsAndFields(content: string): { steps: number; fields: number } {
  const steps = parsePrompt(content);
  return { steps: steps.length, fields: variablesOf(steps.flat()).length };
}

/**
 * The values of a workflow's steps. What was the last answer before the first one is known as it begins; the later ones'
 * is the reply to the step before, so the place stays open until then.
 */
export function valuesOfStep(step: number, { variables, builtIns }: TemplateValues): TemplateValues {
  if (step === 0) return { variables, builtIns };
  const { LAST_ANSWER: _before, ...known } = builtIns;
  return { variables, builtIns: known };
}
