import * as z from "zod/mini";
import { type Attachment, AttachmentKind } from "#shared/entities/attachment.ts";
import type { Extraction } from "./readers/extraction.ts";

/** A file of the chat. `objectId` names its stored object; `characters` counts the text read of it, 0 where there is none; `pages` those of a PDF that could be opened. */
export type RoomFile = Omit<Attachment, "url"> & { objectId: string; characters: number; isComplete: boolean; pages?: number | null };

/** What was found in a file, as its chat keeps it. */
export type FileFacts = Pick<RoomFile, "characters" | "isComplete" | "unread" | "pages">;

/** What reading a file has found, as its chat keeps it. */
export function factsOf(read: Extraction): FileFacts {
  const pages = read.pages ?? null;
  if (!read.ok) return { characters: 0, isComplete: true, unread: read.reason, pages };
  return { characters: read.text.length, isComplete: read.isComplete, unread: null, pages };
}

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
    isComplete: z.boolean(),
    unread: z.nullable(z.string()),
    pages: z.optional(z.nullable(z.number())),
    isMissing: z.optional(z.boolean()),
  }),
);

export function sentFiles(column: string | null): RoomFile[] {
  return column === null ? [] : SentFiles.parse(JSON.parse(column));
}
