import { humanize } from "./humanize.ts";

/** How a field of an input is shown and edited: a line, a number, a text of several lines, a list with one entry a line, or JSON. */
export type FieldKind = "line" | "number" | "text" | "list" | "json";

/** One field of a call's input. `value` is what stands in its edit field. */
export type ApprovalField = { name: string; label: string; kind: FieldKind; value: string };

/** Edits by field name; what is not named stands as the model wrote it. */
export type FieldEdits = Readonly<Record<string, string>>;

/** Fields that hold prose, whatever their length. */
const PROSE = /^(body|text|message|content|task|prompt|instructions|description|notes?)$|_?(body|text|prompt)$/i;
const LINE_LENGTH = 90;

/** The fields of a call's input in their order; an input that is no object has none. */
export function fieldsOf(input: unknown): ApprovalField[] {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return [];
  return Object.entries(input).map(([name, value]: [string, unknown]) => {
    const kind = kindOf(name, value);
    return { name, label: humanize(name) || name, kind, value: editable(value, kind) };
  });
}

function kindOf(name: string, value: unknown): FieldKind {
  if (typeof value === "string") return PROSE.test(name) || value.length > LINE_LENGTH || value.includes("\n") ? "text" : "line";
  if (typeof value === "number") return "number";
  const isList = Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === "string" && !item.includes("\n"));
  return isList ? "list" : "json";
}

function editable(value: unknown, kind: FieldKind): string {
  if (typeof value === "string") return value;
  return kind === "list" && Array.isArray(value) ? value.join("\n") : JSON.stringify(value, null, 2);
}

export type EditedInput = { ok: true; input: Record<string, unknown> } | { ok: false; field: string; error: string };

/** The input with its edits, or the first field that is no valid JSON. */
export function applyEdits(input: unknown, edits: FieldEdits): EditedInput {
  const withEdits = new Map<string, unknown>(typeof input === "object" && input !== null ? Object.entries(input) : []);
  for (const { name, label, kind } of fieldsOf(input)) {
    const text = edits[name];
    if (text === undefined) continue;
    const parsed = parseField(text, kind);
    if (!parsed.ok) return { ok: false, field: name, error: kind === "number" ? `${label} is a number.` : `${label} is not valid JSON.` };
    withEdits.set(name, parsed.value);
  }
  return { ok: true, input: Object.fromEntries(withEdits) };
}

function parseField(text: string, kind: FieldKind): { ok: true; value: unknown } | { ok: false } {
  if (kind === "line" || kind === "text") return { ok: true, value: text };
  if (kind === "number") return text.trim() === "" || Number.isNaN(Number(text)) ? { ok: false } : { ok: true, value: Number(text) };
  if (kind === "list")
    return {
      ok: true,
      value: text
        .split("\n")
        .map((item) => item.trim())
        .filter((item) => item !== ""),
    };
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch {
    return { ok: false };
  }
}

/** The edits that change something. */
export function realEdits(input: unknown, edits: FieldEdits): FieldEdits {
  const before = new Map(fieldsOf(input).map(({ name, value }) => [name, value]));
  return Object.fromEntries(Object.entries(edits).filter(([name, text]) => before.has(name) && before.get(name) !== text));
}
