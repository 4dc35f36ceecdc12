import type { JsonSchema } from "./json-schema.ts";

/** One line of a field table: `field` is a path such as `models[].top_provider.context_length`. */
export type Row = { field: string; type: string; required: boolean };

const REF = "#/components/schemas/";

/** The fields of a schema, nested ones by their path; named entities are named and not opened. */
export function rowsOf(schema: JsonSchema, prefix = ""): Row[] {
  const { fields, suffix } = opened(schema);
  if (!fields.properties) return [];
  const required = new Set(fields.required);
  return Object.entries(fields.properties).flatMap(([name, property]) => {
    const field = `${prefix}${suffix}${prefix || suffix ? "." : ""}${name}`;
    return [{ field, type: typeOf(property), required: required.has(name) }, ...rowsOf(property, field)];
  });
}

/** The object behind lists and `null`s, with the `[]` that lead there. */
function opened(schema: JsonSchema, suffix = ""): { fields: JsonSchema; suffix: string } {
  if (schema.items) return opened(schema.items, `${suffix}[]`);
  const inner = schema.anyOf?.find((option) => option.properties ?? option.items);
  return inner ? opened(inner, suffix) : { fields: schema, suffix };
}

/** A schema's type in words: `text, at most 200`, `list of Model`, `number or null`. */
export function typeOf(schema: JsonSchema): string {
  if (schema.$ref) return schema.$ref.replace(REF, "");
  if (schema.anyOf) return schema.anyOf.map(typeOf).join(" or ");
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(", ");
  if (schema.items) return `list of ${typeOf(schema.items)}`;
  const type = [schema.type ?? "any"].flat().map(word).join(" or ");
  return [type, ...bounds(schema)].join(", ");
}

const WORDS: Record<string, string> = { string: "text", boolean: "true or false", integer: "whole number" };

function word(type: string): string {
  return WORDS[type] ?? type;
}

function bounds({ format, minLength, maxLength, minimum, maximum, default: fallback }: JsonSchema): string[] {
  const said: string[] = [];
  if (format) said.push(format);
  if (minLength !== undefined && minLength > 1) said.push(`at least ${minLength}`);
  if (maxLength !== undefined) said.push(`at most ${maxLength.toLocaleString("en")}`);
  if (minimum !== undefined && maximum !== undefined) said.push(`${minimum} to ${maximum}`);
  if (fallback !== undefined) said.push(`${JSON.stringify(fallback)} unless given`);
  return said;
}
