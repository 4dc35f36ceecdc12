import type { BuiltIn, TemplatePart, TemplateValues, Variable } from "#shared/library/prompt-template.ts";
import {
  builtInsOf,
  fillTemplate,
  filledText,
  type FilledPart,
  initialValue,
  valuesOfStep,
  variablesOf,
} from "#shared/library/prompt-template.ts";

/** The built-ins that may have to be pasted, as the browser or the page cannot always give them. */
const PASTED = ["CLIPBOARD", "SELECTION"] as const satisfies readonly BuiltIn[];
export type Pasted = (typeof PASTED)[number];

/** A field of the form: a variable, or a built-in that has to be pasted. */
export type PromptField = { key: string; label: string } & ({ variable: Variable } | { pasted: Pasted });

/** What a form asks for, each thing once, in order of first appearance, variables before what has to be pasted. */
export function fieldsOf(steps: readonly TemplatePart[][], known: TemplateValues["builtIns"]): PromptField[] {
  const parts = steps.flat();
  const used = builtInsOf(parts);
  const pasted = PASTED.filter((name) => used.has(name) && (name === "CLIPBOARD" || !known[name]));
  return [
    ...variablesOf(parts).map((variable) => ({ key: variable.name, label: variable.name, variable })),
    ...pasted.map((name) => ({ key: name, label: name === "CLIPBOARD" ? "Clipboard" : "Selected text", pasted: name })),
  ];
}

/** What the fields hold as the form opens: what was typed here before, else defaults and first choices. */
export function firstValues(fields: readonly PromptField[], typed: Readonly<Record<string, string>>): Record<string, string> {
  const before = new Map(Object.entries(typed));
  return Object.fromEntries(
    fields.map((field) => {
      const initial = "variable" in field ? initialValue(field.variable) : "";
      return [field.key, allowed(field, before.get(field.key)) ?? initial];
    }),
  );
}

/** The fields' values with others in their place where these say something else and may be chosen. */
export function withValues(
  fields: readonly PromptField[],
  values: Readonly<Record<string, string>>,
  others: Readonly<Record<string, string>>,
): Record<string, string> {
  const wanted = new Map(Object.entries(others));
  const changed = fields.flatMap((field) => {
    const value = "variable" in field ? allowed(field, wanted.get(field.key)) : undefined;
    return value === undefined ? [] : [[field.key, value] as const];
  });
  return { ...values, ...Object.fromEntries(changed) };
}

function allowed(field: PromptField, value: string | undefined): string | undefined {
  if (value === undefined || !("variable" in field) || field.variable.kind === "text") return value;
  return field.variable.choices.includes(value) ? value : undefined;
}

/** The steps with a form's values: what the preview shows, and joined what is sent. */
export function fillSteps(
  steps: readonly TemplatePart[][],
  values: Readonly<Record<string, string>>,
  builtIns: TemplateValues["builtIns"],
): FilledPart[][] {
  const given = new Map(Object.entries(values));
  const pasted = Object.fromEntries(PASTED.flatMap((name) => (given.has(name) ? [[name, given.get(name)]] : [])));
  return steps.map((parts, step) => fillTemplate(parts, valuesOfStep(step, { variables: values, builtIns: { ...builtIns, ...pasted } })));
}

/** Filled steps with a text that stands as it is behind the last of them. */
export function withTail(steps: readonly FilledPart[][], tail: string): FilledPart[][] {
  if (tail === "") return [...steps];
  const last = steps.at(-1) ?? [];
  const isBlank = last.every(({ text }) => text.trim() === "");
  return [...steps.slice(0, -1), [...(isBlank ? [] : last), { kind: "text", text: isBlank ? tail : `\n\n${tail}` }]];
}

/** The texts of filled steps. */
export function stepTexts(steps: readonly FilledPart[][]): string[] {
  return steps.map(filledText);
}
