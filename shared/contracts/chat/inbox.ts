import * as z from "zod/mini";
import { Id } from "#shared/entities/ids.ts";
import { WorkspaceId } from "#shared/entities/workspace.ts";
import { BULK_CHATS } from "#shared/limits.ts";
import { Ok } from "#shared/contracts/account/auth.ts";
import { ChatParams, ChatView, ListFilter } from "./chats.ts";
import { endpoint } from "#shared/contracts/endpoint.ts";

export const countChats = endpoint("GET", "/api/chats/count", {
  summary: "How many chats a view holds, for acting on all of them",
  access: "user",
  query: z.object({ view: z._default(ChatView, "all"), workspace: z._default(WorkspaceId, "all"), ...ListFilter }),
  response: z.object({ count: z.number() }),
});

/** What is done to many chats at once; `delete` alone cannot be undone. */
export const BulkAction = z.enum(["read", "unread", "pin", "unpin", "archive", "unarchive", "delete"]);
export type BulkAction = z.infer<typeof BulkAction>;

/** What became of one chat; `reason` is a sentence for people. */
export const BulkResult = z.discriminatedUnion("ok", [
  z.object({ id: Id, ok: z.literal(true) }),
  z.object({ id: Id, ok: z.literal(false), code: z.string(), reason: z.string() }),
]);
export type BulkResult = z.infer<typeof BulkResult>;

const ChatIds = z
  .array(Id)
  .check(z.minLength(1, "Choose at least one chat."), z.maxLength(BULK_CHATS, `At most ${BULK_CHATS} chats at once.`));

/** What `listChats` takes, as JSON. */
export const BulkFilter = z.object({
  view: ChatView,
  workspace: z.optional(WorkspaceId),
  ...ListFilter,
  subfolders: z.optional(z.boolean()),
});
export type BulkFilter = z.infer<typeof BulkFilter>;

/** Named chats, all that a view holds now, or an earlier one of these to be taken back. */
export const BulkInput = z.union([
  z.object({ ids: ChatIds, action: BulkAction }),
  z.object({ filter: BulkFilter, action: BulkAction }),
  z.object({ undo: Id }),
]);
export type BulkInput = z.infer<typeof BulkInput>;

export const BulkAnswer = z.object({
  /** One for each id asked for; of a filter the refused ones alone, at most 100 of them. */
  results: z.array(BulkResult),
  /** Chats whose mark changed, or that are being deleted; those that were so already are not counted. */
  changed: z.number(),
  refused: z.number(),
  /** Takes the marks back within some minutes; null for a deletion, and where nothing changed. */
  undo_token: z.nullable(Id),
  /** A deletion's job: `bulk.progress` reports it. Null for marks. */
  job_id: z.nullable(Id),
});
export type BulkAnswer = z.infer<typeof BulkAnswer>;

export const changeChats = endpoint("POST", "/api/chats/bulk", {
  summary: "Mark or delete many chats at once, or take marks back",
  access: "user",
  repeat: "key",
  body: BulkInput,
  response: BulkAnswer,
});

export const sayAttention = endpoint("POST", "/api/chat/:id/attention", {
  summary: "Say that the chat is looked at, where there is no live socket; to be repeated while it is",
  access: "user",
  action: "read",
  repeat: "same",
  params: ChatParams,
  body: z.object({ visible: z.boolean(), typing: z._default(z.boolean(), false), opened: z._default(z.boolean(), false) }),
  response: Ok,
});
