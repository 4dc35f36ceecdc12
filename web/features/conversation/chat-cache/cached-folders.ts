import type { ResponseOf } from "#shared/contracts/endpoint.ts";
import type { listFolders } from "#shared/contracts/folders.ts";
import { keys, queryClient } from "#web/lib/query.ts";

/** The person's folders and tags. */
export type FoldersAndTags = ResponseOf<typeof listFolders>;

/** The folders and tags as they are held; undefined before they were read. */
export function cachedFolders(): FoldersAndTags | undefined {
  return queryClient.getQueryData<FoldersAndTags>(keys.folders);
}
