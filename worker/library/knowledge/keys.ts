import { deleteFolder } from "#worker/library/attachments/attachment-keys.ts";

/** All that belongs to an entry's files. */
export function folderOf(contextId: string): string {
  return `contexts/${contextId}/`;
}

/** A new place for a file of an entry: of its name only the extension, which is one that is taken, is part of it. */
export function newKey(contextId: string, extension: string): string {
  return `${folderOf(contextId)}${crypto.randomUUID()}.${extension}`;
}

/** Deletes a file and all that was read of it. */
export async function deleteObject(files: R2Bucket, key: string): Promise<void> {
  // Its text lies below it.
  await deleteFolder(files, key);
}

/** A file's address here: it names the file, not where it lies, and whoever opens it is asked who they are. */
export function fileUrl({ contextId, id }: { contextId: string; id: string }): string {
  return `/api/user-contexts/${contextId}/files/${id}`;
}
