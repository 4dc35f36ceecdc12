/** What of folders a hub starts with: the rest is loaded by the first that asks. */
import { loadOnce } from "#worker/platform/load-once.ts";
import type { FolderDeps, Folders } from "./folders.ts";

const module = loadOnce(() => import("./folders.ts"));

/** The folders of one user, made when they are first needed. */
export function openFolders(deps: FolderDeps): () => Promise<Folders> {
  let folders: Folders | null = null;
  return async () => {
    const { createFolders } = await module();
    return (folders ??= createFolders(deps));
  };
}
