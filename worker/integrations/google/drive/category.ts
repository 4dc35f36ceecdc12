import type { CategoryState } from "#shared/entities/tool-category.ts";
import type { Database } from "#worker/platform/db/client.ts";
import { holdsGrant } from "#worker/integrations/google/connection.ts";
import { hasDriveIndex } from "./queries.ts";

/** How the category of Drive stands with a person: it is theirs once they have an index. */
export async function driveState(db: Database, userId: string): Promise<CategoryState> {
  if (await hasDriveIndex(db, userId)) return "ready";
  return (await holdsGrant(db, userId, ["drive"])) ? "unindexed" : "unconnected";
}
