import * as z from "zod/mini";
import { Attachment } from "#shared/entities/attachment.ts";
import { Ok } from "#shared/contracts/account/auth.ts";
import { Id } from "#shared/entities/ids.ts";
import { ATTACHMENT_NAME_LENGTH } from "#shared/limits.ts";
import { endpoint } from "#shared/contracts/endpoint.ts";

export const AttachmentParams = z.object({ id: Id, attachmentId: Id });

export const putAttachment = endpoint("PUT", "/api/chat/:id/attachments/:attachmentId", {
  summary:
    "Upload a file as the raw body, at most 50 MB, for a message to come; a chat that does not exist yet is made. Its type is found in its content",
  access: "account",
  action: "attach",
  params: AttachmentParams,
  query: z.object({
    /** The file's own name with its extension; it is shown and never part of a path. */
    name: z.string().check(z.minLength(1, "The file has no name."), z.maxLength(ATTACHMENT_NAME_LENGTH, "That file name is too long.")),
  }),
  response: z.object({ attachment: Attachment }),
  status: 201,
});

export const deleteAttachment = endpoint("DELETE", "/api/chat/:id/attachments/:attachmentId", {
  summary: "Delete a file of one's own that no message carries yet; what was sent stays with its message (409)",
  access: "account",
  action: "attach",
  params: AttachmentParams,
  response: Ok,
});

export const getAttachment = endpoint("GET", "/api/chat/:id/attachments/:attachmentId", {
  summary: "A file of the chat: pictures to show, all others to download",
  access: "user",
  action: "read",
  params: AttachmentParams,
});
