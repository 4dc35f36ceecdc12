import type { Database } from "../../db/client.ts";
import { deleteFolder } from "./queries.ts";

/** Has an entry follow a folder of Drive no more; the files that came by it stay. */
export async function unfollow(db: Database, name: { contextId: string; folderId: string }): Promise<void> {
  await deleteFolder(db, name);
}
