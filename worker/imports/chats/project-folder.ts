/** Projects of other products are folders here, each known again by what it is called there. */
import { FOLDER_NAME_LENGTH } from "#shared/limits.ts";
import { unwrap } from "../../app-error.ts";
import { namedId } from "../../named-id.ts";
import { hubOf } from "../../user-hub/stub.ts";
import type { FolderAnswer, KeptFolder } from "../../user-hub/folders/rpc.ts";
import { becameOf, noteItem } from "../claim-item.ts";
import type { Importing } from "../source.ts";

/** A project by its key; `name` is null where the export does not say it. */
export type ForeignProject = { key: string; name: string | null };

const NAMES = { chatgpt: "ChatGPT project", claude: "Claude project", polylogue: "Project" } as const;
/** Letters of a key that distinguish unnamed projects. */
const KEY_SHOWN = 6;

/** Makes a project's folder where there is none yet; null where there is no room for one. */
export async function bringFolder(importing: Importing, place: number, project: ForeignProject): Promise<"came" | "here" | null> {
  const folder = await folderOf(importing, project);
  const before = await ask(importing, { kind: "list" });
  const known = standing(before, folder);
  if (!known) await ask(importing, { kind: "import", folders: [folder], tags: [], filings: [] });
  const here = known ?? standing(await ask(importing, { kind: "list" }), folder);
  if (!here) return null;
  const isOfThis = await noteItem(importing, place, { kind: "folder", key: project.key, id: here.id });
  return known && !isOfThis ? "here" : "came";
}

/** Puts a chat that came into its project's folder, which is made where it has none. */
export async function fileInProject(importing: Importing, chatId: string, project: ForeignProject): Promise<void> {
  const folder = await folderOf(importing, project);
  const filings = [{ chat_id: chatId, folder_id: folder.id, tags: [] }];
  await ask(importing, { kind: "import", folders: [folder], tags: [], filings });
}

async function folderOf(importing: Importing, { key, name }: ForeignProject): Promise<KeptFolder> {
  const { source, user } = importing;
  const known = await becameOf(importing, { kind: "folder", key });
  const id = known ?? (await namedId(JSON.stringify(["import", user.userId, source, "folder", key])));
  const plain = (name ?? "").replaceAll(/\s+/g, " ").trim().slice(0, FOLDER_NAME_LENGTH).toWellFormed();
  const shown = plain || `${NAMES[source]} ${key.replace(/^g-p-/, "").slice(0, KEY_SHOWN)}`;
  return { id, name: shown, parent_id: null, workspace: "personal", position: 0, created_at: new Date().toISOString() };
}

function standing({ folders }: FolderAnswer, { id, name }: KeptFolder): { id: string } | undefined {
  const isSame = (one: FolderAnswer["folders"][number]) => one.parent_id === null && one.workspace === "personal" && one.name === name;
  return folders.find((one) => one.id === id) ?? folders.find(isSame);
}

async function ask({ env, user }: Importing, input: Parameters<ReturnType<typeof hubOf>["folders"]>[0]): Promise<FolderAnswer> {
  return unwrap<FolderAnswer>(await hubOf(env, user.userId).folders(input));
}
