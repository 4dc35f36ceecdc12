import type { Library, LibraryPersona, LibraryPrompt } from "#shared/library/library.ts";
import { PERSONAS_MAX, PROMPTS_BYTES, PROMPTS_MAX } from "#shared/limits.ts";
import { AppError } from "#worker/platform/errors/app-error.ts";
import type { Database } from "#worker/platform/db/client.ts";
import {
  type Entry,
  insertAll,
  type NewPersona,
  type NewPrompt,
  type Named,
  selectContents,
  selectNames,
  selectPersonaNames,
} from "./queries.ts";
import { derivedFields } from "#worker/library/prompts/derived-fields.ts";
import { lastPosition } from "#worker/library/prompts/prompts.ts";

/** So many characters of JSON are one parameter: in UTF-8 it stays below the 2 MB that one may have. */
const AS_JSON = { limit: 600_000, lengthOf: (row: NewPersona | NewPrompt) => JSON.stringify(row).length };
/** Of the user's own texts that may be the same so many bytes are read at once. */
const COMPARED_BYTES = 2_000_000;

const TOO_LONG = "With these your prompts would take more than 20 MB. Nothing was imported.";

type Taken = { added: number; present: number };

/** Adds a file's personas and prompts to the user's own, except those that are there already. Throws INVALID_INPUT where they do not fit. */
export async function importLibrary(
  db: Database,
  userId: string,
  library: Library,
): Promise<{ personas: Taken; prompts: Taken; left_out: string[] }> {
  const rows = { personas: withoutRepeats(library.personas.map(readable)), prompts: withoutRepeats(library.prompts) };
  const [ownPersonas, ownPrompts] = await Promise.all([selectNames(db, userId, "persona"), selectNames(db, userId, "prompt")]);
  const knownPersonas = await findKnown(db, userId, { kind: "persona", rows: rows.personas, own: ownPersonas });
  const personas = newOf(rows.personas, knownPersonas);
  refuseTooMany("personas", { has: ownPersonas.length, adds: personas.length, limit: PERSONAS_MAX });
  const knownPrompts = await findKnown(db, userId, { kind: "prompt", rows: rows.prompts, own: ownPrompts });
  const fresh = newOf(rows.prompts, knownPrompts);
  refuseTooMany("prompts", { has: ownPrompts.length, adds: fresh.length, limit: PROMPTS_MAX });
  const usable = new Map((await selectPersonaNames(db, userId)).toReversed().map(({ id, name }) => [name, id]));
  for (const [index, { name }] of [...rows.personas.entries()].toReversed()) {
    const id = knownPersonas.get(index) ?? personas.find((persona) => persona.row === index)?.id;
    if (id !== undefined) usable.set(name, id);
  }
  const last = await lastPosition(db, userId);
  const prompts = fresh.map((prompt, index) => toNewPrompt(prompt, { usable, position: last + 1 + index }));
  const bytes = [...ownPrompts, ...prompts].reduce((sum, { length }) => sum + length, 0);
  if (prompts.length > 0 && bytes > PROMPTS_BYTES) throw new AppError("INVALID_INPUT", { message: TOO_LONG });
  const isStored = await insertAll(
    db,
    { userId, at: new Date().toISOString() },
    {
      personas: inParts(
        personas.map(({ row: _row, ...persona }) => persona),
        AS_JSON,
      ),
      prompts: inParts(prompts, AS_JSON),
    },
  );
  if (!isStored) throw new AppError("CONFLICT", { message: "Others were added meanwhile. Import this file again." });
  return {
    personas: { added: personas.length, present: library.personas.length - personas.length },
    prompts: { added: prompts.length, present: library.prompts.length - prompts.length },
    left_out: fresh.flatMap(({ name, persona }) =>
      persona === null || usable.has(persona)
        ? []
        : [`“${name}” came without its persona “${persona}”, which is neither in the file nor among yours.`],
    ),
  };
}

/** At U+0000 the functions of SQL that read text stop. */
function readable({ name, content }: LibraryPersona): LibraryPersona {
  return { name: name.replaceAll("\u0000", ""), content: content.replaceAll("\u0000", "") };
}

function withoutRepeats<T extends LibraryPersona>(rows: readonly T[]): T[] {
  return [...new Map(rows.toReversed().map((row) => [keyOf(row.name, row.content), row])).values()].toReversed();
}

type Compared = { kind: Entry["kind"]; rows: readonly LibraryPersona[]; own: readonly Named[] };

/** The ids of the user's own that are the same as a row, by the row's index. Each text is read once at most, and a few at once. */
async function findKnown(db: Database, userId: string, { kind, rows, own }: Compared): Promise<Map<number, string>> {
  const wanted = new Set(rows.map(({ name, content }) => keyOf(name, derivedFields(content).length)));
  const rowOf = new Map(rows.map(({ name, content }, row) => [keyOf(name, content), row]));
  const known = new Map<number, string>();
  for (const part of comparedParts(own.filter(({ name, length }) => wanted.has(keyOf(name, length))))) {
    for (const { id, name, content } of await selectContents(db, userId, { kind, ids: part.map((entry) => entry.id) })) {
      const row = rowOf.get(keyOf(name, content));
      if (row !== undefined) known.set(row, id);
    }
  }
  return known;
}

function keyOf(name: string, rest: string | number): string {
  return JSON.stringify([name, rest]);
}

function comparedParts(own: readonly Named[]): Named[][] {
  return inParts(own, { limit: COMPARED_BYTES, lengthOf: ({ length }) => length });
}

function newOf<T>(rows: readonly T[], known: ReadonlyMap<number, string>): (T & { id: string; row: number })[] {
  return rows.flatMap((row, index) => (known.has(index) ? [] : [{ ...row, id: crypto.randomUUID(), row: index }]));
}

function refuseTooMany(what: string, { has, adds, limit }: { has: number; adds: number; limit: number }): void {
  if (has + adds <= limit) return;
  const room = Math.max(0, limit - has);
  const fit = room === 0 ? "no more fit" : room === 1 ? "1 more fits" : `${room.toLocaleString("en")} more fit`;
  const message = `New ${what} in this file: ${adds.toLocaleString("en")}, but ${fit}. Nothing was imported.`;
  throw new AppError("INVALID_INPUT", { message });
}

type Place = { usable: ReadonlyMap<string, string>; position: number };

function toNewPrompt(prompt: LibraryPrompt & { id: string }, { usable, position }: Place): NewPrompt {
  const { id, name, content, persona, tool_categories: tools, model_id } = prompt;
  return {
    id,
    name,
    content,
    ...derivedFields(content),
    tool_categories: tools?.length ? tools : null,
    persona_id: persona === null ? null : (usable.get(persona) ?? null),
    model_id,
    position,
  };
}

function inParts<T>(rows: readonly T[], { limit, lengthOf }: { limit: number; lengthOf: (row: T) => number }): T[][] {
  const parts: T[][] = [];
  let length = limit;
  for (const row of rows) {
    const own = lengthOf(row);
    length += own;
    if (length > limit) {
      parts.push([]);
      length = own;
    }
    parts.at(-1)?.push(row);
  }
  return parts;
}
