import type { CategoryState } from "#shared/entities/tool-category.ts";
import type { Database } from "../db/client.ts";
import { hasIndex } from "./queries.ts";

/** How the category of Drive stands with a person: it is there for who has an index. */
export async function driveState(db: Database, userId: string): Promise<CategoryState | null> {
  return (await hasIndex(db, userId)) ? "ready" : null;
}
