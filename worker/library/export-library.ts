import { LIBRARY_FORMAT, LIBRARY_VERSION, type Library } from "#shared/library/library.ts";
import { LIBRARY_FILE_LENGTH } from "#shared/limits.ts";
import type { Database } from "../db/client.ts";
import { type Entry, selectEntries, selectPersonaNames, selectTexts } from "./queries.ts";

/** A file with the user's own personas and prompts from the one at `after` on, and where the next file begins; null where all is in it. */
export async function exportLibrary(db: Database, userId: string, after: number): Promise<{ library: Library; next: number | null }> {
  const entries = await selectEntries(db, userId);
  const taken = fitting(entries.slice(after));
  const [texts, names] = await Promise.all([
    selectTexts(
      db,
      userId,
      taken.map(({ id }) => id),
    ),
    selectPersonaNames(db, userId),
  ]);
  const nameOf = new Map(names.map(({ id, name }) => [id, name]));
  const place = new Map(taken.map(({ id }, index) => [id, index]));
  const inOrder = <T extends { id: string }>(rows: readonly T[]) =>
    rows.toSorted((a, b) => (place.get(a.id) ?? 0) - (place.get(b.id) ?? 0));
  const library = {
    format: LIBRARY_FORMAT,
    version: LIBRARY_VERSION,
    exported_at: new Date().toISOString(),
    personas: inOrder(texts.personas).map(({ name, content }) => ({ name, content })),
    prompts: inOrder(texts.prompts).map(({ name, content, tool_categories, persona_id: persona, model_id }) => ({
      name,
      content,
      tool_categories,
      persona: persona === null ? null : (nameOf.get(persona) ?? null),
      model_id,
    })),
  } as const;
  const next = after + taken.length;
  return { library, next: next < entries.length ? next : null };
}

/** As many as one file holds, the first one whatever its length. */
function fitting(entries: readonly Entry[]): Entry[] {
  let length = 0;
  const end = entries.findIndex((entry, index) => {
    length += entry.length;
    return index > 0 && length > LIBRARY_FILE_LENGTH;
  });
  return entries.slice(0, end === -1 ? entries.length : end);
}
