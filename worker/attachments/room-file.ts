import * as z from "zod/mini";
import { type Attachment, AttachmentKind } from "#shared/entities/attachment.ts";

/** A file of the chat. `objectId` names its stored object; `characters` counts the text read of it, 0 where there is none. */
export type RoomFile = Omit<Attachment, "url"> & { objectId: string; characters: number; isWhole: boolean };

/** A message's files as its row holds them: their own rows may go, what was sent stays. */
const SentFiles = z.array(
  z.object({
    id: z.string(),
    objectId: z.string(),
    name: z.string(),
    type: z.string(),
    size: z.number(),
    kind: AttachmentKind,
    characters: z.number(),
    isWhole: z.boolean(),
    unread: z.nullable(z.string()),
    isGone: z.optional(z.boolean()),
  }),
);

/** A message's files from its row. */
export function sentFiles(column: string | null): RoomFile[] {
  return column === null ? [] : SentFiles.parse(JSON.parse(column));
}
