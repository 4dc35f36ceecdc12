import { deleteFolder } from "#worker/library/attachments/attachment-keys.ts";

/** All that belongs to an entry's files. */
export function folderOf(entryId: string): string {
  return `contexts/${entryId}/`;
}

/** A new place for a file of an entry: of its name only the extension, which is one that is taken, is part of it. */
export function newKey(entryId: string, extension: string): string {
  return `${folderOf(entryId)}${crypto.randomUUID()}.${extension}`;
}

/** Deletes a file and all that was read of it. */
export async function deleteObject(files: R2Bucket, key: string): Promise<void> {
  // Its text lies below it.
  await deleteFolder(files, key);
}

/** A file's address here: it names the file, not where it lies, and whoever opens it is asked who they are. */
export function fileUrl({ entryId, id }: { entryId: string; id: string }): string {
  return `/api/user-contexts/${entryId}/files/${id}`;
}
