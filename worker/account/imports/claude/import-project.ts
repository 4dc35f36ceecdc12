/** A project of Claude: a folder, a persona of its instructions, and knowledge of its documents. */
import type { ImportNote } from "#shared/imports/import.ts";
import { CONTENT_NAME_LENGTH, KNOWLEDGE_FILES, KNOWLEDGE_LENGTH, PERSONA_LENGTH } from "#shared/limits.ts";
import { AppError } from "#worker/platform/errors/app-error.ts";
import { plainName } from "#worker/library/attachments/plain-name.ts";
import { addFile } from "#worker/library/knowledge/files.ts";
import { addKnowledge } from "#worker/library/knowledge/knowledge.ts";
import { uuidOfName } from "#worker/platform/uuid-of-name.ts";
import { cleanText, timeOrNull } from "../chats/external-chat.ts";
import { fieldsOrEmpty, listOrEmpty, textOrNull } from "#worker/account/imports/chats/untrusted-values.ts";
import { importProjectFolder } from "../chats/project-folder.ts";
import { importExternalPersona } from "../polylogue/import-external-persona.ts";
import { isOwn, existedBefore } from "../polylogue/existed-before.ts";
import { addCounts, type ImportResult, counted, type Importing, type PlanItem, unreadable } from "../source.ts";
import { readItemText } from "../split-text.ts";
import { memoryOfProject } from "./memories.ts";
import { textName } from "./read-conversation.ts";

/** A project in a file of its own is read whole; its documents are texts. */
const BYTES = 12 * 1024 * 1024;
const NOTHING: ImportResult = { counts: {}, notes: [] };

type Doc = { id: string; name: string; text: string };
type Project = { key: string; name: string; about: string; instructions: string; docs: Doc[]; at: string };

/** Imports one project, once; the example that every account has is none. */
export async function importProject(importing: Importing, item: PlanItem, place: number): Promise<ImportResult> {
  const project = await readProject(importing, item);
  if (project === null) return unreadable(item, "This part of the file is damaged.");
  if (project === "example") return NOTHING;
  const folder = await importProjectFolder(importing, place, project);
  const failed: ImportNote[] =
    folder === null ? [{ kind: "folder", title: project.name, reason: "You have as many folders as an account may have." }] : [];
  const parts = [
    { counts: addCounts(counted("project", folder === "here" ? "here" : "came"), counted("folder", folder ?? "failed")), notes: failed },
    await importInstructions(importing, place, project),
    await importDocuments(importing, place, project),
  ];
  return parts.reduce((sum, { counts, notes }) => ({ counts: addCounts(sum.counts, counts), notes: [...sum.notes, ...notes] }));
}

async function readProject(importing: Importing, item: PlanItem): Promise<Project | "example" | null> {
  const json = await readJson(importing, item);
  const project = fieldsOrEmpty(json);
  if (project.is_starter_project === true) return "example";
  const key = textOrNull(project.uuid) ?? textOrNull(project.name);
  if (key === null) return null;
  const memory = await memoryOfProject(importing.archive, key);
  const about = [textOrNull(project.description) ?? "", memory].map((text) => cleanText(text).trim()).filter((text) => text !== "");
  return {
    key,
    name:
      cleanText(textOrNull(project.name) ?? "")
        .trim()
        .slice(0, CONTENT_NAME_LENGTH)
        .toWellFormed() || "Untitled",
    about: about.join("\n\n"),
    instructions: cleanText(textOrNull(project.prompt_template) ?? "").trim(),
    docs: listOrEmpty(project.docs).flatMap((value, index): Doc[] => {
      const { uuid, filename, content } = fieldsOrEmpty(value);
      const text = textOrNull(content);
      return text === null
        ? []
        : [{ id: textOrNull(uuid) ?? String(index), name: textOrNull(filename) || "Document", text: cleanText(text) }];
    }),
    at: timeOrNull(project.created_at) ?? new Date().toISOString(),
  };
}

async function readJson(importing: Importing, item: PlanItem): Promise<unknown> {
  const { archive } = importing;
  const bytes = archive.entries.has(item.name) ? await archive.read(item.name, BYTES) : null;
  const text = archive.entries.has(item.name) ? new TextDecoder().decode(bytes ?? new Uint8Array()) : await readItemText(importing, item);
  try {
    return JSON.parse(text);
  } catch {
    // Damaged, which its report says.
    return null;
  }
}

function idOf({ user, source }: Importing, key: string): Promise<string> {
  return uuidOfName(JSON.stringify(["import", user.userId, source, "knowledge", key]));
}

/** Its instructions as a persona; longer ones than a persona has are a document. */
async function importInstructions(importing: Importing, place: number, project: Project): Promise<ImportResult> {
  const { key, name, instructions: content, at } = project;
  if (content === "") return NOTHING;
  if (content.length > PERSONA_LENGTH) {
    project.docs.push({ id: "instructions", name: "Instructions.md", text: content });
    const reason = "Its instructions are longer than a persona may be: they are a document of its knowledge.";
    return { counts: {}, notes: [{ kind: "persona", title: name, reason }] };
  }
  return importExternalPersona(importing, place, { key, name, content, at });
}

/** Its documents, with what it says of itself and what was remembered of it, as entries that have as many files as one may. */
async function importDocuments(importing: Importing, place: number, project: Project): Promise<ImportResult> {
  const isLong = project.about.length > KNOWLEDGE_LENGTH;
  const docs = isLong ? [{ id: "about", name: "About.md", text: project.about }, ...project.docs] : project.docs;
  let total = NOTHING;
  const count = Math.max(project.about === "" ? 0 : 1, Math.ceil(docs.length / KNOWLEDGE_FILES));
  for (let number = 0; number < count; number += 1) {
    const suffix = number === 0 ? "" : ` (${number + 1})`;
    const own = {
      key: `${project.key}${suffix}`,
      name: `${project.name.slice(0, CONTENT_NAME_LENGTH - suffix.length)}${suffix}`,
      text: number === 0 && !isLong ? project.about : "",
      docs: docs.slice(number * KNOWLEDGE_FILES, (number + 1) * KNOWLEDGE_FILES),
    };
    const { counts, notes } = await importProjectEntry(importing, place, own);
    total = { counts: addCounts(total.counts, counts), notes: [...total.notes, ...notes] };
  }
  return total;
}

type Entry = { key: string; name: string; text: string; docs: readonly Doc[] };

async function importProjectEntry(importing: Importing, place: number, { key, name, text, docs }: Entry): Promise<ImportResult> {
  const { env, db, user } = importing;
  const id = await idOf(importing, key);
  const isKnown = await isOwn(importing, "knowledge", id);
  const isHere = await existedBefore(importing, place, { kind: "knowledge", key, isKnown });
  if (isHere) return { counts: counted("knowledge", "here"), notes: [] };
  try {
    if (!isKnown) await addKnowledge(env, db, user.userId, { id, name, text_content: text, isUntrusted: true });
  } catch (cause) {
    if (!(cause instanceof AppError) || cause.code !== "INVALID_INPUT") throw cause;
    return { counts: counted("knowledge", "failed"), notes: [{ kind: "knowledge", title: name, reason: cause.message }] };
  }
  let total: ImportResult = { counts: counted("knowledge", "came"), notes: [] };
  for (const doc of docs) {
    const problem = await importDocument(importing, { entryId: id, doc, key });
    const notes: ImportNote[] = problem === null ? [] : [{ kind: "file", title: `${doc.name} (${name})`, reason: problem }];
    const counts = counted("file", problem === null ? "came" : "failed");
    total = { counts: addCounts(total.counts, counts), notes: [...total.notes, ...notes] };
  }
  return total;
}

/** Why a document did not come; null where it did, or was there. */
async function importDocument(
  importing: Importing,
  { entryId, doc, key }: { entryId: string; doc: Doc; key: string },
): Promise<string | null> {
  const { env, db, user } = importing;
  const id = await idOf(importing, `${key} ${doc.id}`);
  const bytes = new TextEncoder().encode(doc.text);
  const name = textName(plainName(doc.name).trim() || "Document");
  try {
    const sent = { body: new Blob([bytes]).stream(), length: bytes.byteLength };
    await importing.gate(bytes.byteLength, () => addFile(env, db, { entryId, id, userId: user.userId, name, isImported: true }, sent));
    return null;
  } catch (cause) {
    if (cause instanceof AppError && cause.code !== "INTERNAL") return cause.message;
    throw cause;
  }
}
