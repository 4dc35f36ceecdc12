/** Projects of other products are folders here, each known again by what it is called there. */
import { FOLDER_NAME_LENGTH } from "#shared/limits.ts";
import { unwrap } from "#worker/platform/errors/app-error.ts";
import { uuidOfName } from "#worker/platform/uuid-of-name.ts";
import { hubOf } from "#worker/conversation/hub/stub.ts";
import type { FolderAnswer, StoredFolder } from "#worker/conversation/hub/folders.ts";
import { importedIdOf, recordItem } from "../claim-item.ts";
import type { Importing } from "../source.ts";

/** A project by its key; `name` is null where the export does not say it. */
export type ExternalProject = { key: string; name: string | null };

const NAMES = { chatgpt: "ChatGPT project", claude: "Claude project", polylogue: "Project" } as const;
/** Letters of a key that distinguish unnamed projects. */
const KEY_SHOWN = 6;

/** Makes a project's folder where there is none yet; null where there is no room for one. */
export async function importProjectFolder(importing: Importing, place: number, project: ExternalProject): Promise<"came" | "here" | null> {
  const folder = await folderOf(importing, project);
  const before = await ask(importing, { kind: "list" });
  const known = findExisting(before, folder);
  if (!known) await ask(importing, { kind: "import", folders: [folder], tags: [], filings: [] });
  const here = known ?? findExisting(await ask(importing, { kind: "list" }), folder);
  if (!here) return null;
  const isOfThis = await recordItem(importing, place, { kind: "folder", key: project.key, id: here.id });
  return known && !isOfThis ? "here" : "came";
}

/** Puts a chat that came into its project's folder, which is made where it has none. */
export async function fileInProject(importing: Importing, chatId: string, project: ExternalProject): Promise<void> {
  const folder = await folderOf(importing, project);
  const filings = [{ chat_id: chatId, folder_id: folder.id, tags: [] }];
  await ask(importing, { kind: "import", folders: [folder], tags: [], filings });
}

async function folderOf(importing: Importing, { key, name }: ExternalProject): Promise<StoredFolder> {
  const { source, user } = importing;
  const known = await importedIdOf(importing, { kind: "folder", key });
  const id = known ?? (await uuidOfName(JSON.stringify(["import", user.userId, source, "folder", key])));
  const plain = (name ?? "").replaceAll(/\s+/g, " ").trim().slice(0, FOLDER_NAME_LENGTH).toWellFormed();
  const shown = plain || `${NAMES[source]} ${key.replace(/^g-p-/, "").slice(0, KEY_SHOWN)}`;
  return { id, name: shown, parent_id: null, workspace: "personal", position: 0, created_at: new Date().toISOString() };
}

function findExisting({ folders }: FolderAnswer, { id, name }: StoredFolder): { id: string } | undefined {
  const isSame = (one: FolderAnswer["folders"][number]) => one.parent_id === null && one.workspace === "personal" && one.name === name;
  return folders.find((one) => one.id === id) ?? folders.find(isSame);
}

async function ask({ env, user }: Importing, input: Parameters<ReturnType<typeof hubOf>["folders"]>[0]): Promise<FolderAnswer> {
  return unwrap<FolderAnswer>(await hubOf(env, user.userId).folders(input));
}
