import * as z from "zod/mini";
import { Folder, Tag } from "#shared/entities/folders/folder.ts";
import { unwrap } from "#worker/platform/errors/app-error.ts";
import { hubOf } from "#worker/conversation/hub/stub.ts";
import type { FolderAnswer } from "#worker/conversation/hub/folders.ts";
import { type ImportResult, counted, type Importing } from "../source.ts";
import { readJson } from "./read-json.ts";

const FILE = "folders/folders.json";
const Filed = z.object({
  folders: z.array(z.omit(Folder, { chat_count: true, unread_count: true })).check(z.maxLength(5_000)),
  tags: z.array(z.omit(Tag, { chat_count: true })).check(z.maxLength(5_000)),
  filings: z.array(z.object({ chat_id: z.string(), folder_id: z.nullable(z.string()), tags: z.array(z.string()) })),
});
type Filed = z.infer<typeof Filed>;
/** What was filed, each by its id. */
type Indexed = {
  folders: ReadonlyMap<string, Filed["folders"][number]>;
  tags: ReadonlyMap<string, Filed["tags"][number]>;
  filings: ReadonlyMap<string, Filed["filings"][number]>;
};

const read = new WeakMap<Importing["archive"], Promise<Indexed>>();

/** Imports folders and tags that are not there yet. Teams do not come: what is in their workspaces is one's own here. */
export async function importFolders(importing: Importing): Promise<ImportResult> {
  const filed = await filedIn(importing);
  const [folders, tags] = [[...filed.folders.values()], [...filed.tags.values()]];
  if (folders.length + tags.length === 0) return { counts: {}, notes: [] };
  const before = await listed(importing);
  await send(importing, { folders, tags, filings: [] });
  const came = (await listed(importing)) - before;
  return {
    counts: { ...counted("folder", "came", came), folder: { came, here: Math.max(0, folders.length - came), failed: 0 } },
    notes: [],
  };
}

/** Puts a chat that came where it was; all that is sent of the rest is what leads there. */
export async function fileChat(importing: Importing, { id, originalId }: { id: string; originalId: string }): Promise<void> {
  const { folders, tags, filings } = await filedIn(importing);
  const own = filings.get(originalId);
  if (!own) return;
  const used = own.tags.flatMap((tagId) => tags.get(tagId) ?? []);
  await send(importing, { folders: pathTo(folders, own.folder_id), tags: used, filings: [{ ...own, chat_id: id }] });
}

/** A folder and those that it is in. */
function pathTo(folders: Indexed["folders"], id: string | null): Filed["folders"] {
  const path = new Set<Filed["folders"][number]>();
  for (let folder = folders.get(id ?? ""); folder && !path.has(folder); folder = folders.get(folder.parent_id ?? "")) path.add(folder);
  return [...path];
}

function filedIn({ archive }: Importing): Promise<Indexed> {
  const known = read.get(archive) ?? readFiled(archive);
  read.set(archive, known);
  return known;
}

async function readFiled(archive: Importing["archive"]): Promise<Indexed> {
  const { folders, tags, filings } = (await readJson(archive, FILE, Filed)) ?? { folders: [], tags: [], filings: [] };
  return {
    folders: new Map(folders.map((folder) => [folder.id, { ...folder, workspace: "personal" as const }])),
    tags: new Map(tags.map((tag) => [tag.id, tag])),
    filings: new Map(filings.map((filing) => [filing.chat_id, filing])),
  };
}

async function send({ env, user }: Importing, filed: Filed): Promise<void> {
  unwrap<FolderAnswer>(await hubOf(env, user.userId).folders({ kind: "import", ...filed }));
}

async function listed({ env, user }: Importing): Promise<number> {
  return unwrap<FolderAnswer>(await hubOf(env, user.userId).folders({ kind: "list" })).folders.length;
}
