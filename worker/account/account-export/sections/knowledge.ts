import * as z from "zod/mini";
import { type ExportContext, prettyJson, PART_BYTES, PART_FILES, type Section } from "../section.ts";
import { safeName } from "../zip/safe-name.ts";
import { isStoredAsIs } from "./packed-types.ts";
import { countOwnKnowledge, nextOwnKnowledge } from "./queries.ts";

/** The entry after `after` is next; with `file` that very one goes on behind this file. */
const Cursor = z.object({ after: z.string(), file: z.nullable(z.string()) });

type EntryWithFiles = NonNullable<Awaited<ReturnType<typeof nextOwnKnowledge>>>;

/** Texts and files that chats answer from, of the person's own entries. */
export const knowledgeSection: Section = {
  total: ({ db, userId }) => countOwnKnowledge(db, userId),
  async write(context, cursor) {
    const at = cursor === null ? { after: "", file: null } : Cursor.parse(JSON.parse(cursor));
    const found = await nextOwnKnowledge(context.db, { userId: context.userId, after: at.after, isSame: at.file !== null });
    // One that goes on is gone meanwhile: what is in stays in.
    if (!found) return at.file === null ? null : JSON.stringify({ after: at.after, file: null });
    if (at.file === null) await writeEntry(context, found);
    const file = await writeFiles(context, { found, behind: at.file });
    return JSON.stringify({ after: found.entry.id, file });
  },
};

function pathOf({ entry }: EntryWithFiles): string {
  return `knowledge/${safeName(entry.name, "Knowledge")} (${entry.id.slice(0, 8)})`;
}

function filePath(found: EntryWithFiles, { id, file_name: name }: EntryWithFiles["files"][number]): string {
  return `${pathOf(found)}/files/${id.slice(0, 8)} ${safeName(name, "file")}`;
}

async function writeEntry({ archive, count, progress }: ExportContext, found: EntryWithFiles): Promise<void> {
  const { entry, files, artifacts, folders } = found;
  const { user_id: _owner, beginning: _beginning, is_untrusted: _isUntrusted, ...own } = entry;
  const listed = files.map((file) => {
    const { object_key: _key, is_stored: isStored, ...rest } = file;
    return { ...rest, path: isStored ? filePath(found, file) : null };
  });
  await archive.text(
    `${pathOf(found)}/entry.json`,
    prettyJson({ ...own, files: listed, artifacts, drive_folders: folders }),
    entry.updated_at,
  );
  count("knowledge_entries");
  progress(1);
}

/** Writes the files behind one, until the part is long enough: answers the last one then, null where all are in. */
async function writeFiles(
  context: ExportContext,
  { found, behind }: { found: EntryWithFiles; behind: string | null },
): Promise<string | null> {
  const { env, archive, count, leaveOut } = context;
  let bytes = 0;
  let files = 0;
  let last = behind;
  for (const file of found.files) {
    if (behind !== null && file.id <= behind) continue;
    if (bytes > PART_BYTES || files >= PART_FILES) return last;
    last = file.id;
    files += 1;
    const name = filePath(found, file);
    const stored = file.is_stored ? await env.FILES.get(file.object_key) : null;
    if (stored) {
      await archive.file(name, stored.body, { at: new Date(file.created_at), isDeflated: !isStoredAsIs(file.file_type) });
      count("knowledge_files");
      bytes += stored.size;
    } else leaveOut(name, file.is_stored ? "It is no longer stored." : "It was still on its way.");
  }
  return null;
}
