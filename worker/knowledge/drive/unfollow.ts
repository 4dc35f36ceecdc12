import type { Database } from "../../db/client.ts";
import { deleteFolder } from "./queries.ts";

/** Ends an entry's following of a folder of Drive; the files that came by it stay. */
export async function unfollow(db: Database, name: { contextId: string; folderId: string }): Promise<void> {
  await deleteFolder(db, name);
}
