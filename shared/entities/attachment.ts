import * as z from "zod/mini";
import { Id } from "./ids.ts";

/** What a file is to a model: pictures and PDFs can go as they are, all others as the text in them; of a recording the message says the words. */
export const AttachmentKind = z.enum(["image", "pdf", "text", "document", "spreadsheet", "audio"]);
export type AttachmentKind = z.infer<typeof AttachmentKind>;

/** A file that belongs to a message. `type` is its MIME type as found in its content, `size` in bytes, `url` the product's own. */
export const Attachment = z.object({
  id: Id,
  name: z.string(),
  type: z.string(),
  size: z.number(),
  kind: AttachmentKind,
  url: z.string(),
  /** Why a model gets no text of it; null where it does, and for a picture. */
  unread: z.nullable(z.string()),
  /** True where only its name came along, with an imported chat: there is nothing at its address. */
  isMissing: z.optional(z.boolean()),
});
export type Attachment = z.infer<typeof Attachment>;
