/** A stored object may be listed and deleted in batches of this many (R2's limit). */
const BATCH = 1_000;

/** Where a file lies: ids alone, so no name can lead anywhere. `objectId` is new with each upload. */
export function fileKey({ chatId, id, objectId }: { chatId: string; id: string; objectId: string }): string {
  return `${attachmentFolder(chatId, id)}${objectId}`;
}

export function textKey(file: { chatId: string; id: string; objectId: string }): string {
  return textKeyOf(fileKey(file));
}

/** Where the text of the file lies that lies here. */
export function textKeyOf(key: string): string {
  return `${key}/text`;
}

/** All that belongs to a chat's files, or to one of them. */
export function attachmentFolder(chatId: string, id?: string): string {
  return id === undefined ? `chats/${chatId}/attachments/` : `chats/${chatId}/attachments/${id}/`;
}

export async function deleteObjects(files: Pick<R2Bucket, "delete">, keys: readonly string[]): Promise<void> {
  for (let next = 0; next < keys.length; next += BATCH) await files.delete(keys.slice(next, next + BATCH));
}

export async function deleteFolder(files: R2Bucket, prefix: string): Promise<void> {
  for (;;) {
    const { objects, truncated } = await files.list({ prefix, limit: BATCH });
    if (objects.length > 0) await files.delete(objects.map(({ key }) => key));
    if (!truncated) return;
  }
}
