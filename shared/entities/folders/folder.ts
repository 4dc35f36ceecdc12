import * as z from "zod/mini";
import { Id, Timestamp } from "#shared/entities/ids.ts";

/** Where a folder belongs, as a chat does: to one's own workspace, or to the team of this id. */
export const FolderWorkspace = z.union([z.literal("personal"), Id]);
export type FolderWorkspace = z.infer<typeof FolderWorkspace>;

/** A folder of chats, its user's alone. */
export const Folder = z.object({
  id: Id,
  name: z.string(),
  /** Null at the top of its workspace. */
  parent_id: z.nullable(Id),
  workspace: FolderWorkspace,
  /** Siblings stand in the order of these numbers, which say nothing else. */
  position: z.number(),
  /** Chats right in it that are not archived, and of these the unread ones. */
  chat_count: z.number(),
  unread_count: z.number(),
  created_at: Timestamp,
});
export type Folder = z.infer<typeof Folder>;

/** The colours that a tag may have, as hues in degrees: none lies in the error's range. */
export const TAG_HUES = [45, 85, 130, 170, 210, 250, 290, 330] as const;

/** A word that a user puts on chats, whatever folder and workspace they are in. */
export const Tag = z.object({
  id: Id,
  /** As it was written first; two tags differ in more than capitals. */
  name: z.string(),
  hue: z.number(),
  /** Chats with it that are not archived. */
  chat_count: z.number(),
  created_at: Timestamp,
});
export type Tag = z.infer<typeof Tag>;
