import { PERSONAS_MAX } from "#shared/limits.ts";
import { uuidOfName } from "#worker/platform/uuid-of-name.ts";
import { type ImportResult, counted, type Importing } from "../source.ts";
import { insertPersonas, updateImportedPersona, selectOwnIds } from "./queries.ts";
import { existedBefore } from "./existed-before.ts";

/** What another product calls a persona; `at` is ISO 8601. */
type ExternalPersona = { key: string; name: string; content: string; at: string };

/** Imports instructions of another product as a persona. A text that is newer takes the place of what was imported before, unless its owner changed that. */
export async function importExternalPersona(importing: Importing, place: number, persona: ExternalPersona): Promise<ImportResult> {
  const { db, user, source } = importing;
  const { key, name, content, at } = persona;
  const id = await uuidOfName(JSON.stringify(["import", user.userId, source, "persona", key]));
  const own = await selectOwnIds(db, user.userId, "persona");
  const isHere = await existedBefore(importing, place, { kind: "persona", key, isKnown: own.has(id) });
  const outcome = counted("persona", isHere ? "here" : "came");
  if (own.has(id)) {
    await updateImportedPersona(db, user.userId, { id, content, updated_at: at });
    return { counts: outcome, notes: [] };
  }
  if (own.size >= PERSONAS_MAX) {
    const reason = "You have as many as an account may have.";
    return { counts: counted("persona", "failed"), notes: [{ kind: "persona", title: name, reason }] };
  }
  const made = await insertPersonas(db, user.userId, {
    rows: [{ id, name, content, created_at: at, updated_at: at, version: 1 }],
    versions: [],
  });
  return { counts: made.size > 0 ? outcome : {}, notes: [] };
}
