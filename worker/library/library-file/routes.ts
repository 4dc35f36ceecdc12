import type { Hono } from "hono";
import { exportLibrary as exporting, importLibrary as importing } from "#shared/contracts/library/library.ts";
import { LIBRARY_FILE_LENGTH, LIBRARY_IMPORTS_PER_HOUR } from "#shared/limits.ts";
import type { AppContext } from "#worker/platform/env.ts";
import { countOrRefuse, hourly } from "#worker/platform/http/rate-limit.ts";
import { serve } from "#worker/people/callers/serve.ts";
import { notifyTabs } from "#worker/people/hub/stub.ts";
import { importLibrary } from "./import-library.ts";
import { type Library, LIBRARY_FORMAT, LIBRARY_VERSION } from "#shared/library/library.ts";
import type { Database } from "#worker/platform/db/client.ts";
import { type Entry, selectEntries, selectPersonaNames, selectTexts } from "./queries.ts";

/** Mounts the export and the import of prompts and personas as one file. */
export function libraryRoutes(app: Hono<AppContext>): void {
  serve(app, exporting, ({ c, caller, query }) => exportLibrary(c.var.db, caller.userId, query.after));

  serve(app, importing, async ({ c, caller, body }) => {
    await countOrRefuse(c.env, `library-imports:${caller.userId}`, hourly(LIBRARY_IMPORTS_PER_HOUR), "RATE_LIMITED");
    const taken = await importLibrary(c.var.db, caller.userId, body);
    notifyTabs(c, "persona", caller.userId);
    notifyTabs(c, "prompt", caller.userId);
    return taken;
  });
}

/** A file with the user's own personas and prompts from the one at `after` on, and where the next file begins; null where all is in it. */
async function exportLibrary(db: Database, userId: string, after: number): Promise<{ library: Library; next: number | null }> {
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
