import * as z from "zod/mini";
import {
  CONTENT_NAME_LENGTH,
  PERSONA_LENGTH,
  PERSONA_VERSIONS,
  PERSONAS_MAX,
  PROMPT_LENGTH,
  PROMPTS_BYTES,
  PROMPTS_MAX,
} from "#shared/limits.ts";
import type { ImportNote } from "#shared/imports/import.ts";
import { PERSONALIZATION_MARKER } from "#shared/library/personas.ts";
import type { Database } from "#worker/platform/db/client.ts";
import { changePersona, findPersona } from "#worker/library/personas/personas.ts";
import { derivedFields } from "#worker/library/prompts/derived-fields.ts";
import { addCounts, type ImportResult, counted, type Importing } from "../source.ts";
import { insertPersonas, insertPrompts, selectOwnIds } from "./queries.ts";
import { readJson } from "./read-json.ts";
import type { IdMapping } from "./id-mapping.ts";

const Name = z.string().check(z.minLength(1), z.maxLength(CONTENT_NAME_LENGTH));
const Text = (length: number) =>
  z.pipe(
    z.string().check(z.maxLength(length)),
    z.transform((text: string) => text.replaceAll("\u0000", "")),
  );
const Time = z.string().check(z.regex(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/));
const Ids = z.nullable(z.array(z.string().check(z.maxLength(100))).check(z.maxLength(200)));

const ExportedVersion = z.object({ name: Name, content: Text(PERSONA_LENGTH), version: z.int(), created_at: Time });
export const ExportedPersona = z.extend(ExportedVersion, {
  id: z.string(),
  is_default: z.boolean(),
  is_personalized: z.boolean(),
  personalization: z.nullable(z.string()),
  updated_at: Time,
  versions: z.array(ExportedVersion).check(z.maxLength(2 * PERSONA_VERSIONS)),
});

const ExportedPrompt = z.object({
  id: z.string(),
  name: Name,
  content: Text(PROMPT_LENGTH),
  tool_categories: Ids,
  persona_id: z.nullable(z.string()),
  model_id: z.nullable(z.string()),
  context_ids: Ids,
  position: z.number(),
  created_at: Time,
  updated_at: Time,
  uses: z.number(),
  last_used_at: z.nullable(Time),
});

/** Rows of one statement have so many characters of JSON: one parameter stays below 2 MB in UTF-8. */
const ROWS_LENGTH = 600_000;

/** Imports personas and prompts that are not there yet, under ids of their own. */
export async function importPersonasAndPrompts(importing: Importing, ids: IdMapping): Promise<ImportResult> {
  const [personas, prompts] = [await importPersonas(importing, ids), await importPrompts(importing, ids)];
  return { counts: addCounts(personas.counts, prompts.counts), notes: [...personas.notes, ...prompts.notes] };
}

async function importPersonas({ archive, db, user: { userId } }: Importing, ids: IdMapping): Promise<ImportResult> {
  const listed = (await readJson(archive, "library/personas.json", z.array(z.unknown()))) ?? [];
  const read = listed.map((one) => ExportedPersona.safeParse(one).data ?? null);
  // The personalized one is everybody's own already: it comes with the settings.
  const sound = read.flatMap((one) => (one === null || one.is_personalized ? [] : [one]));
  const broken = read.filter((one) => one === null).length;
  const had = await selectOwnIds(db, userId, "persona");
  const named = await Promise.all(sound.map(async (one) => ({ ...one, id: await ids.idOf("persona", one.id) })));
  const fresh = named.filter(({ id }) => !had.has(id));
  const taken = fresh.slice(0, Math.max(0, PERSONAS_MAX - had.size));
  for (const part of inParts(taken)) {
    const versions = part.flatMap(({ id, versions: said }) => said.map((one) => ({ ...one, persona_id: id })));
    const rows = part.map(({ versions: _versions, personalization: _own, ...row }) => row);
    await insertPersonas(db, userId, { rows, versions });
  }
  const came = toImportResult("persona", {
    came: taken.length,
    here: named.length - fresh.length,
    full: fresh.slice(taken.length),
    broken,
  });
  return { ...came, notes: [...came.notes, ...(ids.isSame ? [] : await importPersonalizedPersona(db, userId, read))] };
}

type Listed = readonly (z.infer<typeof ExportedPersona> | null)[];

/** Imports what the personalized persona said into this account's own, where that says nothing yet; answers a note where it does. */
async function importPersonalizedPersona(db: Database, userId: string, listed: Listed): Promise<ImportNote[]> {
  const given = listed.find((one) => one?.is_personalized === true);
  const { name, content, personalization } = given ?? { name: "", content: "", personalization: null };
  if (content === "" && !personalization) return [];
  const here = await findPersona(db, userId, userId);
  const isSameText = here.content === content && here.personalization === personalization;
  if (isSameText) return [];
  const isSound = !personalization || (personalization.startsWith(PERSONALIZATION_MARKER) && personalization.length <= PERSONA_LENGTH);
  if (here.content === "" && !here.personalization && isSound) {
    await changePersona(db, userId, userId, { content, personalization, isUntrusted: true });
    return [];
  }
  return [{ kind: "persona", title: name, reason: "You have one here, which stays. What this one said stands in library/personas.json." }];
}

async function importPrompts({ archive, db, user: { userId } }: Importing, ids: IdMapping): Promise<ImportResult> {
  const listed = (await readJson(archive, "library/prompts.json", z.array(z.unknown()))) ?? [];
  const read = listed.map((one) => ExportedPrompt.safeParse(one).data ?? null);
  const sound = read.flatMap((one) => one ?? []);
  const had = await selectOwnIds(db, userId, "prompt");
  const named = await Promise.all(
    sound.map(async (one) => ({
      ...one,
      ...derivedFields(one.content),
      id: await ids.idOf("prompt", one.id),
      persona_id: one.persona_id && (await ids.idOf("persona", one.persona_id)),
      context_ids: one.context_ids && (await Promise.all(one.context_ids.map((id) => ids.idOf("knowledge", id)))),
    })),
  );
  const fresh = named.filter(({ id }) => !had.has(id));
  let bytes = 0;
  const room = fresh.slice(0, Math.max(0, PROMPTS_MAX - had.size)).filter(({ length }) => (bytes += length) <= PROMPTS_BYTES);
  for (const part of inParts(room)) await insertPrompts(db, userId, part);
  const came = new Set(room);
  const full = fresh.filter((one) => !came.has(one));
  return toImportResult("prompt", { came: room.length, here: named.length - fresh.length, full, broken: read.length - sound.length });
}

type Outcome = { came: number; here: number; full: readonly { name: string }[]; broken: number };

function toImportResult(kind: "persona" | "prompt", { came, here, full, broken }: Outcome): ImportResult {
  const notes: ImportNote[] = full.map(({ name }) => ({ kind, title: name, reason: "You have as many as an account may have." }));
  if (broken > 0) notes.push({ kind, title: `${broken} of the file`, reason: "They are damaged." });
  const counts = [counted(kind, "here", here), counted(kind, "failed", full.length + broken)];
  return { counts: counts.reduce(addCounts, counted(kind, "came", came)), notes };
}

function inParts<T>(rows: readonly T[]): T[][] {
  const parts: T[][] = [];
  let length = ROWS_LENGTH;
  for (const row of rows) {
    const own = JSON.stringify(row).length;
    length += own;
    if (length > ROWS_LENGTH) {
      parts.push([]);
      length = own;
    }
    parts.at(-1)?.push(row);
  }
  return parts;
}
