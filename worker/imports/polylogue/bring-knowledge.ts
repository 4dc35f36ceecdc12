import * as z from "zod/mini";
import { ATTACHMENT_NAME_LENGTH, CONTENT_NAME_LENGTH, KNOWLEDGE_ARTIFACTS, KNOWLEDGE_FILES, KNOWLEDGE_LENGTH } from "#shared/limits.ts";
import type { ImportNote } from "#shared/imports/import.ts";
import { AppError } from "../../app-error.ts";
import { plainName } from "../../attachments/plain-name.ts";
import { addFile } from "../../knowledge/files.ts";
import { addKnowledge } from "../../knowledge/knowledge.ts";
import { addCounts, type Brought, counted, type Importing } from "../source.ts";
import { completeEntry, selectOwnIds } from "./queries.ts";
import { wasHere } from "./was-here.ts";
import { readJson } from "./read-json.ts";
import type { Renewal } from "./renewed-ids.ts";

const Entry = z.object({
  id: z.string(),
  name: z.string().check(z.minLength(1), z.maxLength(CONTENT_NAME_LENGTH)),
  text_content: z.string().check(z.maxLength(KNOWLEDGE_LENGTH)),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
  files: z
    .array(
      z.object({
        id: z.string(),
        file_name: z.string(),
        file_size: z.number(),
        created_at: z.iso.datetime(),
        path: z.nullable(z.string()),
      }),
    )
    .check(z.maxLength(KNOWLEDGE_FILES)),
  artifacts: z.array(z.string()).check(z.maxLength(KNOWLEDGE_ARTIFACTS)),
  drive_folders: z._default(z.array(z.object({ name: z.string() })), []),
});

/** Brings one knowledge entry with its files, once; one that was begun before is completed. */
export async function bringKnowledge(
  importing: Importing,
  { name, place }: { name: string; place: number },
  ids: Renewal,
): Promise<Brought> {
  const { env, db, archive, user } = importing;
  const entry = await readJson(archive, name, Entry);
  if (!entry) return { counts: counted("knowledge", "failed"), notes: [{ kind: "knowledge", title: name, reason: "It is damaged." }] };
  if (await ids.isHere("knowledge", entry.id)) return { counts: counted("knowledge", "here"), notes: [] };
  const id = await ids.idOf("knowledge", entry.id);
  const isKnown = (await selectOwnIds(db, user.userId, "knowledge")).has(id);
  if (!isKnown) {
    try {
      await addKnowledge(env, db, user.userId, { id, name: entry.name, text_content: entry.text_content, isForeign: true });
    } catch (cause) {
      if (!(cause instanceof AppError) || cause.code !== "INVALID_INPUT") throw cause;
      return { counts: counted("knowledge", "failed"), notes: [{ kind: "knowledge", title: entry.name, reason: cause.message }] };
    }
  }
  const artifactIds = await Promise.all(entry.artifacts.map((artifact) => ids.idOf("artifact", artifact)));
  const isHere = await wasHere(importing, place, { kind: "knowledge", key: `${ids.accountId} ${entry.id}`, isKnown });
  let counts = counted("knowledge", isHere ? "here" : "came");
  const notes: ImportNote[] = isHere ? [] : entry.drive_folders.map(({ name: folder }) => folderNote(`${folder} (${entry.name})`));
  for (const file of entry.files) {
    const problem = await bringFile(importing, { contextId: id, file, ids });
    if (problem !== null) notes.push({ kind: "file", title: `${file.file_name} (${entry.name})`, reason: problem });
    if (problem !== null || !isHere) counts = addCounts(counts, counted("file", problem === null ? "came" : "failed"));
  }
  const files = await Promise.all(entry.files.map(async (file) => ({ id: await fileIdOf(file, ids), created_at: file.created_at })));
  if (!isHere) await completeEntry(db, user.userId, { ...entry, id, artifactIds, files });
  return { counts, notes };
}

function folderNote(title: string): ImportNote {
  return { kind: "knowledge", title, reason: "Choose this folder of your Drive anew: an import connects nothing." };
}

type File = z.infer<typeof Entry>["files"][number];

function fileIdOf({ id }: Pick<File, "id">, ids: Renewal): Promise<string> {
  return ids.idOf("knowledge", `file ${id}`);
}

/** Why a file did not come; null where it did, or was there. */
async function bringFile(
  { env, db, archive, user, rejected }: Importing,
  { contextId, file, ids }: { contextId: string; file: File; ids: Renewal },
): Promise<string | null> {
  const { path, file_size: size } = file;
  const name = plainName(file.file_name).slice(-ATTACHMENT_NAME_LENGTH);
  if (path === null || !archive.entries.has(path)) return "It is not in the export.";
  const known = rejected.get(path);
  if (known !== undefined) return known;
  const id = await fileIdOf(file, ids);
  const body = streamOf(archive.stream(path));
  try {
    await addFile(env, db, { contextId, id, userId: user.userId, name, isImported: true }, { body, length: size });
    return null;
  } catch (cause) {
    if (!(cause instanceof AppError) || cause.code === "INTERNAL") throw cause;
    if ((cause.code === "FILE_TYPE" || cause.code === "FILE_TOO_LARGE") && !archive.isExhausted()) rejected.set(path, cause.message);
    return cause.message;
  }
}

/** Bytes as they are drawn, so never much of a file is in memory. */
function streamOf(bytes: AsyncGenerator<Uint8Array, unknown>): ReadableStream<Uint8Array> {
  return new ReadableStream({
    type: "bytes",
    async pull(controller: ReadableByteStreamController) {
      const { done, value } = await bytes.next();
      if (done) {
        controller.close();
        controller.byobRequest?.respond(0);
      } else controller.enqueue(value);
    },
  });
}
