import * as z from "zod/mini";
import { Folder, Tag } from "#shared/entities/folders/folder.ts";
import { unwrap } from "../../app-error.ts";
import { hubOf } from "../../user-hub/stub.ts";
import type { FolderAnswer } from "../../user-hub/folders/rpc.ts";
import { type Brought, counted, type Importing } from "../source.ts";
import { readJson } from "./read-json.ts";

const FILE = "folders/folders.json";
const Filed = z.object({
  folders: z.array(z.omit(Folder, { chat_count: true, unread_count: true })).check(z.maxLength(5_000)),
  tags: z.array(z.omit(Tag, { chat_count: true })).check(z.maxLength(5_000)),
  filings: z.array(z.object({ chat_id: z.string(), folder_id: z.nullable(z.string()), tags: z.array(z.string()) })),
});
type Filed = z.infer<typeof Filed>;

const read = new WeakMap<Importing["archive"], Promise<Filed>>();

/** Brings folders and tags that are not there yet. Teams do not come: what is in their workspaces is one's own here. */
export async function bringFolders(importing: Importing): Promise<Brought> {
  const { folders, tags } = await filedIn(importing);
  if (folders.length + tags.length === 0) return { counts: {}, notes: [] };
  const before = await listed(importing);
  await take(importing, { folders, tags, filings: [] });
  const came = (await listed(importing)) - before;
  return {
    counts: { ...counted("folder", "came", came), folder: { came, here: Math.max(0, folders.length - came), failed: 0 } },
    notes: [],
  };
}

/** Puts a chat that came where it was. */
export async function fileChat(importing: Importing, { id, originalId }: { id: string; originalId: string }): Promise<void> {
  const { folders, tags, filings } = await filedIn(importing);
  const own = filings.find(({ chat_id: of }) => of === originalId);
  if (own) await take(importing, { folders, tags, filings: [{ ...own, chat_id: id }] });
}

function filedIn({ archive }: Importing): Promise<Filed> {
  const known = read.get(archive) ?? readFiled(archive);
  read.set(archive, known);
  return known;
}

async function readFiled(archive: Importing["archive"]): Promise<Filed> {
  const filed = (await readJson(archive, FILE, Filed)) ?? { folders: [], tags: [], filings: [] };
  return { ...filed, folders: filed.folders.map((folder) => ({ ...folder, workspace: "personal" as const })) };
}

async function take({ env, user }: Importing, filed: Filed): Promise<void> {
  unwrap<FolderAnswer>(await hubOf(env, user.userId).folders({ kind: "import", ...filed }));
}

async function listed({ env, user }: Importing): Promise<number> {
  return unwrap<FolderAnswer>(await hubOf(env, user.userId).folders({ kind: "list" })).folders.length;
}
