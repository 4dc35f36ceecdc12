import * as z from "zod/mini";
import { ACCOUNT_FORMAT, ACCOUNT_VERSION } from "#shared/entities/library/account-export.ts";
import type { ImportNote } from "#shared/imports/import.ts";
import { type Archive, DIRECTORY_ENTRIES } from "../archive.ts";
import { addCounts, counted, type Importing, type ImportResult, type Plan, type PlanItem, type Source } from "../source.ts";
import { importArtifact } from "./import-artifact.ts";
import { importFolders } from "./import-folders.ts";
import { importPersonasAndPrompts } from "./import-personas-and-prompts.ts";
import { importPolylogueChat } from "./import-polylogue-chat.ts";
import { importExportedMemories, importSchedules, importSettings } from "./import-settings.ts";
import { readJson } from "./read-json.ts";
import { createIdMapping, type IdMapping } from "./id-mapping.ts";
import { ATTACHMENT_NAME_LENGTH, CONTENT_NAME_LENGTH, KNOWLEDGE_ARTIFACTS, KNOWLEDGE_FILES, KNOWLEDGE_LENGTH } from "#shared/limits.ts";
import { AppError } from "#worker/platform/errors/app-error.ts";
import { plainName } from "#worker/library/attachments/plain-name.ts";
import { addFile } from "#worker/library/knowledge/files.ts";
import { addKnowledge } from "#worker/library/knowledge/knowledge.ts";
import { completeEntry, selectOwnIds } from "./queries.ts";
import { existedBefore } from "./existed-before.ts";

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

/** Imports one knowledge entry with its files, once; one that was begun before is completed. */
async function importKnowledgeEntry(
  importing: Importing,
  { name, place }: { name: string; place: number },
  ids: IdMapping,
): Promise<ImportResult> {
  const { env, db, archive, user } = importing;
  const entry = await readJson(archive, name, Entry);
  if (!entry) return { counts: counted("knowledge", "failed"), notes: [{ kind: "knowledge", title: name, reason: "It is damaged." }] };
  if (await ids.isHere("knowledge", entry.id)) return { counts: counted("knowledge", "here"), notes: [] };
  const id = await ids.idOf("knowledge", entry.id);
  const isKnown = (await selectOwnIds(db, user.userId, "knowledge")).has(id);
  if (!isKnown) {
    try {
      await addKnowledge(env, db, user.userId, { id, name: entry.name, text_content: entry.text_content, isUntrusted: true });
    } catch (cause) {
      if (!(cause instanceof AppError) || cause.code !== "INVALID_INPUT") throw cause;
      return { counts: counted("knowledge", "failed"), notes: [{ kind: "knowledge", title: entry.name, reason: cause.message }] };
    }
  }
  const artifactIds = await Promise.all(entry.artifacts.map((artifact) => ids.idOf("artifact", artifact)));
  const isHere = await existedBefore(importing, place, { kind: "knowledge", key: `${ids.accountId} ${entry.id}`, isKnown });
  let counts = counted("knowledge", isHere ? "here" : "came");
  const notes: ImportNote[] = isHere ? [] : entry.drive_folders.map(({ name: folder }) => folderNote(`${folder} (${entry.name})`));
  for (const file of entry.files) {
    const problem = await importFile(importing, { entryId: id, file, ids });
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

function fileIdOf({ id }: Pick<File, "id">, ids: IdMapping): Promise<string> {
  return ids.idOf("knowledge", `file ${id}`);
}

/** Why a file did not come; null where it did, or was there. */
async function importFile(
  { env, db, archive, user, rejected }: Importing,
  { entryId, file, ids }: { entryId: string; file: File; ids: IdMapping },
): Promise<string | null> {
  const { path, file_size: size } = file;
  const name = plainName(file.file_name).slice(-ATTACHMENT_NAME_LENGTH);
  if (path === null || !archive.entries.has(path)) return "It is not in the export.";
  const known = rejected.get(path);
  if (known !== undefined) return known;
  const id = await fileIdOf(file, ids);
  const body = streamOf(archive.stream(path));
  try {
    await addFile(env, db, { entryId, id, userId: user.userId, name, isImported: true }, { body, length: size });
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

const MANIFEST = "account.json";
const MANIFEST_BYTES = 1024 * 1024;
const Manifest = z.object({ format: z.literal(ACCOUNT_FORMAT), version: z.number(), account_id: z.string().check(z.maxLength(100)) });

/** What has a file of its own, in the order in which it comes: artifacts before the knowledge that holds them. */
const FILES: [kind: string, name: RegExp][] = [
  ["artifact", /^artifacts\/[^/]+\/artifact\.json$/],
  ["knowledge", /^knowledge\/[^/]+\/entry\.json$/],
  ["chat", /^chats\/[^/]+\/details\.json$/],
];

/** Exports of everything that somebody has here. */
export const polylogue: Source = {
  id: "polylogue",
  recognize: async (archive) => (await readManifest(archive)) !== null,

  async plan({ archive }) {
    const manifest = await readManifest(archive);
    if (manifest?.version !== ACCOUNT_VERSION) return unread("It is of another version, which cannot be read here.");
    if (archive.entries.size >= DIRECTORY_ENTRIES) return unread("It has more files than can be imported.");
    const sizes = sizesByFolder(archive);
    const items: PlanItem[] = [{ kind: "account", name: MANIFEST, from: 0, length: ALONE }];
    for (const [kind, pattern] of FILES) {
      for (const name of archive.entries.keys()) {
        // What is large is imported alone.
        if (pattern.test(name)) items.push({ kind, name, from: 0, length: sizes.get(folderOf(name)) ?? 0 });
      }
    }
    return { items, notes: sharedNotes(archive), counts: {} } satisfies Plan;
  },

  async importItem(importing, { kind, name }, place) {
    const { account_id: accountId } = (await readManifest(importing.archive)) ?? { account_id: "" };
    const ids = createIdMapping(importing, accountId);
    switch (kind) {
      case "artifact":
        return importArtifact(importing, { name, place }, ids);
      case "knowledge":
        return importKnowledgeEntry(importing, { name, place }, ids);
      case "chat":
        return importPolylogueChat(importing, { name, place }, ids);
      default:
        return importAccount(importing, place, ids);
    }
  },
};

/** What says whose account it is; null for what is no such export. A file by itself is none, and is not read whole to see that. */
function readManifest(archive: Archive): Promise<z.infer<typeof Manifest> | null> {
  return archive.isZip ? readJson(archive, MANIFEST, Manifest, MANIFEST_BYTES) : Promise.resolve(null);
}

/** More than any share of items has, in bytes: nothing is imported beside it. */
const ALONE = Number.MAX_SAFE_INTEGER;

/** What refers to each other, one after the other. */
async function importAccount(importing: Importing, place: number, ids: ReturnType<typeof createIdMapping>): Promise<ImportResult> {
  const library = await importPersonasAndPrompts(importing, ids);
  const settings = await importSettings(importing, place, ids);
  const memories = await importExportedMemories(importing);
  const schedules = await importSchedules(importing, ids);
  const folders = await importFolders(importing);
  return [settings, memories, schedules, folders].reduce(
    (sum, { counts, notes }) => ({ counts: addCounts(sum.counts, counts), notes: [...sum.notes, ...notes] }),
    library,
  );
}

function folderOf(name: string): string {
  return name.slice(0, name.lastIndexOf("/") + 1);
}

/** Bytes of all that is beside and below each file of an item; what a chat said stands beside its folder, under the same name. */
function sizesByFolder({ entries }: Archive): Map<string, number> {
  const sizes = new Map<string, number>();
  for (const [name, size] of entries) {
    const [top = "", own = "", ...below] = name.split("/");
    const folder = `${top}/${below.length === 0 ? own.replace(/\.json$/, "") : own}/`;
    sizes.set(folder, (sizes.get(folder) ?? 0) + size);
  }
  return sizes;
}

function sharedNotes({ entries }: Archive): ImportNote[] {
  const shared = [...entries.keys()].filter((name) => /^shared-chats\/[^/]+\.json$/.test(name));
  return shared.map((name) => ({
    kind: "chat",
    title: name.slice("shared-chats/".length),
    reason: "It is somebody else's: it stays in the file.",
  }));
}

function unread(reason: string): Plan {
  return { items: [], notes: [{ kind: "chat", title: MANIFEST, reason }], counts: counted("chat", "failed") };
}
