import type { Library, LibraryPersona, LibraryPrompt } from "#shared/library.ts";
import { PERSONAS_MAX, PROMPTS_MAX } from "#shared/limits.ts";
import { sizeOf } from "#shared/prompt-template.ts";
import { AppError } from "../app-error.ts";
import type { Database } from "../db/client.ts";
import {
  type Entry,
  insertAll,
  type NewPersona,
  type NewPrompt,
  type Pair,
  selectNames,
  selectPersonaNames,
  selectSame,
} from "./queries.ts";
import { lastPosition } from "../prompts/prompts.ts";

/** So many characters of JSON are one parameter: in UTF-8 it stays below the 2 MB that one may have. */
const PART_LENGTH = 600_000;
/** Of the user's own that are called the same so many are compared. */
const COMPARED = 20;

type Taken = { added: number; present: number };

/** Adds a file's personas and prompts to the user's own, but for those that are there already. Throws INVALID_INPUT where they do not fit. */
export async function importLibrary(
  db: Database,
  userId: string,
  library: Library,
): Promise<{ personas: Taken; prompts: Taken; left_out: string[] }> {
  const rows = { personas: withoutRepeats(library.personas.map(readable)), prompts: withoutRepeats(library.prompts) };
  const [ownPersonas, ownPrompts] = await Promise.all([selectNames(db, userId, "persona"), selectNames(db, userId, "prompt")]);
  const [knownPersonas, knownPrompts] = await Promise.all([
    findKnown(db, "persona", { rows: rows.personas, own: ownPersonas }),
    findKnown(db, "prompt", { rows: rows.prompts, own: ownPrompts }),
  ]);
  const personas = newOf(rows.personas, knownPersonas);
  const fresh = newOf(rows.prompts, knownPrompts);
  refuseTooMany("personas", { has: ownPersonas.length, adds: personas.length, limit: PERSONAS_MAX });
  refuseTooMany("prompts", { has: ownPrompts.length, adds: fresh.length, limit: PROMPTS_MAX });
  const usable = new Map((await selectPersonaNames(db, userId)).toReversed().map(({ id, name }) => [name, id]));
  for (const [index, { name }] of [...rows.personas.entries()].toReversed()) {
    const id = knownPersonas.get(index) ?? personas.find((persona) => persona.row === index)?.id;
    if (id !== undefined) usable.set(name, id);
  }
  const last = await lastPosition(db, userId);
  const prompts = fresh.map((prompt, index) => toNewPrompt(prompt, { usable, position: last + 1 + index }));
  await insertAll(
    db,
    { userId, at: new Date().toISOString() },
    { personas: inParts(personas.map(({ row: _row, ...persona }) => persona)), prompts: inParts(prompts) },
  );
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
  return [...new Map(rows.toReversed().map((row) => [JSON.stringify([row.name, row.content]), row])).values()].toReversed();
}

/** The ids of the user's own that are the same as a row, by the row's index. */
async function findKnown(
  db: Database,
  kind: Entry["kind"],
  { rows, own }: { rows: readonly LibraryPersona[]; own: readonly { id: string; name: string }[] },
): Promise<Map<number, string>> {
  const byName = Map.groupBy(own, ({ name }) => name);
  const pairs = rows.flatMap(({ name, content }, row): Pair[] =>
    (byName.get(name) ?? []).slice(0, COMPARED).map(({ id }) => ({ row, id, content })),
  );
  const same = await Promise.all(inParts(pairs).map((part) => selectSame(db, kind, part)));
  return new Map(same.flat().map(({ row, id }) => [row, id]));
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
    ...sizeOf(content),
    tool_categories: tools?.length ? tools : null,
    persona_id: persona === null ? null : (usable.get(persona) ?? null),
    model_id,
    position,
  };
}

function inParts<T extends NewPersona | NewPrompt | Pair>(rows: readonly T[]): T[][] {
  const parts: T[][] = [];
  let length = PART_LENGTH;
  for (const row of rows) {
    length += JSON.stringify(row).length;
    if (length > PART_LENGTH) {
      parts.push([]);
      length = JSON.stringify(row).length;
    }
    parts.at(-1)?.push(row);
  }
  return parts;
}
