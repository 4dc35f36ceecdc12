/** What the names after `in:` and `tag:` stand for. */
import type { UnknownName } from "#shared/contracts/search.ts";
import type { WorkspaceId } from "#shared/entities/workspace.ts";
import type { SearchQuery } from "#shared/search/search-query.ts";
import { normalizeName } from "../folders/tree.ts";

type Named = { id: string; parent_id: string | null; workspace: string; name: string };

/** Ids of folders with all that is below them, and of tags; titles are what no folder is called. */
export type Filed = { titles: string[]; folders: string[]; tags: string[]; unknown: UnknownName[] };

/** Reads the folders and tags only where a search names some. */
export function resolveFiled(sql: SqlStorage, query: Pick<SearchQuery, "in" | "tag">, workspace: WorkspaceId = "all"): Filed {
  const filed: Filed = { titles: [], folders: [], tags: [], unknown: [] };
  const folders = query.in.length === 0 ? [] : readShown(sql, workspace);
  for (const value of query.in) {
    const named = folders.filter((folder) => isCalled(pathOf(folders, folder), value)).map(({ id }) => id);
    if (named.length > 0) filed.folders.push(...within(folders, named));
    else {
      filed.titles.push(value);
      filed.unknown.push({ name: "in", value });
    }
  }
  for (const value of query.tag) {
    const [tag] = sql.exec<{ id: string }>("SELECT id FROM tags WHERE folded = ?", normalizeName(value)).toArray();
    if (tag) filed.tags.push(tag.id);
    else filed.unknown.push({ name: "tag", value });
  }
  return filed;
}

function readShown(sql: SqlStorage, workspace: WorkspaceId): Named[] {
  return sql.exec<Named>("SELECT id, parent_id, workspace, name FROM folders WHERE ?1 = 'all' OR workspace = ?1", workspace).toArray();
}

/** The names that lead to a folder, and its own. */
function pathOf(folders: readonly Named[], folder: Named): string {
  const parent = folders.find(({ id }) => id === folder.parent_id);
  return parent ? `${pathOf(folders, parent)}/${folder.name}` : folder.name;
}

/** True of a folder's own name and of the end of its path. */
function isCalled(path: string, name: string): boolean {
  return `/${normalizeName(path)}`.endsWith(`/${normalizeName(name)}`);
}

function within(folders: readonly Named[], ids: readonly string[]): string[] {
  const below = folders.filter((folder) => folder.parent_id !== null && ids.includes(folder.parent_id)).map(({ id }) => id);
  return below.length === 0 ? [...ids] : [...ids, ...within(folders, below)];
}
