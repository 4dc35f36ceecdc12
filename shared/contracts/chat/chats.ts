import * as z from "zod/mini";
import { Chat, ChatDetails } from "#shared/entities/chat.ts";
import { ChatSettingsInput } from "#shared/entities/chat-settings.ts";
import { Id } from "#shared/entities/ids.ts";
import { WorkspaceId } from "#shared/entities/workspace.ts";
import { CHATS_PAGE, CHATS_PAGE_MAX, CHAT_TITLE_LENGTH, UNREAD_COUNT_MAX } from "#shared/limits.ts";
import { Ok } from "#shared/contracts/account/auth.ts";
import { asName } from "#shared/contracts/as-name.ts";
import { endpoint } from "#shared/contracts/endpoint.ts";

export const ChatView = z.enum(["inbox", "all", "archived"]);
export type ChatView = z.infer<typeof ChatView>;

export const ChatParams = z.object({ id: Id });

/** A page size from a query string, with the given default and ceiling. */
export function pageSize(fallback: number, max: number) {
  return z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(max)), fallback);
}

/** Where a list goes on: what the page before called `nextCursor`. */
export function pageCursor(form: RegExp) {
  return z.optional(z.string().check(z.regex(form, "This cursor is not one of this list.")));
}

/** What a list is narrowed to beside its view: a folder, with `subfolders` also what is below it, or what is in none of the workspace's; a tag. */
export const ListFilter = {
  folder: z.optional(z.union([z.literal("none"), Id])),
  subfolders: z._default(z.stringbool(), false),
  tag: z.optional(Id),
} as const;

/** A row's place, time and id. */
const CHATS_CURSOR = /^[0-3]~[\dTZ:.-]{10,30}~[\da-fA-F-]{36}$/;

export const listChats = endpoint("GET", "/api/chats", {
  summary: "A page of the caller's chats, newest first; of the inbox unread, then pinned, then the last 24 hours' others",
  access: "user",
  query: z.object({
    view: z._default(ChatView, "all"),
    workspace: z._default(WorkspaceId, "all"),
    ...ListFilter,
    cursor: pageCursor(CHATS_CURSOR),
    limit: pageSize(CHATS_PAGE, CHATS_PAGE_MAX),
  }),
  response: z.object({
    chats: z.array(Chat),
    nextCursor: z.nullable(z.string()),
    /** Unread chats of the workspace that are not archived; where there are more, this many. */
    unreadCount: z.number().check(z.maximum(UNREAD_COUNT_MAX)),
    /** Tool calls of all chats that wait for the caller's word. */
    waitingCount: z.number(),
    /** Where the live events stood when this page was read. */
    liveCursor: z.string(),
  }),
});

const Title = z.string().check(asName, z.maxLength(CHAT_TITLE_LENGTH, "That title is too long."));

/** The team in whose workspace a new chat begins: it is shared with that team as viewer. */
export const TeamOfChat = z.nullish(Id);

/** The folder that a new chat begins in; one that is gone, or not of the workspace that it begins in, is passed over. */
export const FolderOfChat = z.nullish(Id);

export const createChat = endpoint("POST", "/api/chats", {
  summary: "Create a chat; the client may choose its id",
  access: "visitor",
  repeat: "key",
  body: z.object({
    id: z.optional(Id),
    title: z.optional(Title),
    team_id: TeamOfChat,
    folder_id: FolderOfChat,
    /** The caller's default categories where none are named. */
    ...ChatSettingsInput.shape,
  }),
  response: z.object({ chat: ChatDetails }),
  status: 201,
});

export const getChat = endpoint("GET", "/api/chat/:id", {
  summary: "One chat",
  access: "user",
  action: "read",
  params: ChatParams,
  response: z.object({ chat: ChatDetails }),
});

export const updateChat = endpoint("PATCH", "/api/chat/:id", {
  summary: "Change own marks, or the chat itself where the caller's rights allow",
  access: "user",
  action: "mark",
  params: ChatParams,
  body: z.partial(
    z.object({
      title: Title,
      ...ChatSettingsInput.shape,
      /** Readable by anyone at its public page; publishing needs a sign-in of the last 60 minutes. */
      public: z.boolean(),
      isRead: z.boolean(),
      isPinned: z.boolean(),
      archived: z.boolean(),
    }),
  ),
  response: z.object({ chat: ChatDetails }),
});

export const deleteChat = endpoint("DELETE", "/api/chat/:id", {
  summary: "Delete a chat for good",
  access: "user",
  action: "delete",
  params: ChatParams,
  response: Ok,
});
