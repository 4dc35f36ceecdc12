import * as z from "zod/mini";
import { Ok } from "#shared/contracts/account/auth.ts";
import { BulkFilter, BulkResult } from "#shared/contracts/chat/inbox.ts";
import { Folder, FolderWorkspace, Tag, TAG_HUES } from "#shared/entities/folders/folder.ts";
import { Id } from "#shared/entities/ids.ts";
import { FILED_CHATS, FOLDER_NAME_LENGTH, TAG_NAME_LENGTH, TAGS_A_CHAT } from "#shared/limits.ts";
import { plainName } from "#shared/shown-text.ts";
import { endpoint } from "./endpoint.ts";

const Params = z.object({ id: Id });

const asOneLine = z.overwrite<string>((text) => plainName(text.normalize("NFC").replaceAll(/\s+/g, " ")));

const FolderName = z
  .string()
  .check(
    asOneLine,
    z.minLength(1, "Give the folder a name."),
    z.maxLength(FOLDER_NAME_LENGTH, `A folder's name may have ${FOLDER_NAME_LENGTH} characters at most.`),
  );

const TagName = z
  .string()
  .check(
    asOneLine,
    z.minLength(1, "Give the tag a name."),
    z.maxLength(TAG_NAME_LENGTH, `A tag may have ${TAG_NAME_LENGTH} characters at most.`),
  );

const Hue = z.number().check(z.refine((hue) => TAG_HUES.some((known) => known === hue), "That is no tag's colour."));

const ChatIds = z
  .array(Id)
  .check(z.minLength(1, "Choose at least one chat."), z.maxLength(FILED_CHATS, `At most ${FILED_CHATS} chats at once.`));

/** Where a folder goes: to the end of another (null is the top), or right before or after one that becomes its sibling. */
const Place = { parent_id: z.nullable(Id), before_id: Id, after_id: Id } as const;

export const listFolders = endpoint("GET", "/api/folders", {
  summary: "The caller's folders and tags of all workspaces; siblings in their order, tags by name",
  access: "account",
  response: z.object({ folders: z.array(Folder), tags: z.array(Tag) }),
});

export const createFolder = endpoint("POST", "/api/folders", {
  summary: "Make a folder, last among its siblings; one in another is of that one's workspace. The same id again answers the same",
  access: "account",
  repeat: "id",
  body: z.object({
    id: Id,
    name: FolderName,
    parent_id: z._default(z.nullable(Id), null),
    workspace: z._default(FolderWorkspace, "personal"),
  }),
  response: z.object({ folder: Folder }),
  status: 201,
});

export const updateFolder = endpoint("PATCH", "/api/folders/:id", {
  summary: "Rename a folder, or move it with all that is in it: into another, or before or after one in the same workspace",
  access: "account",
  params: Params,
  body: z.partial(z.object({ name: FolderName, ...Place })),
  response: z.object({ folder: Folder }),
});

export const deleteFolder = endpoint("DELETE", "/api/folders/:id", {
  summary: "Delete a folder; its chats and folders move up to where it was",
  access: "account",
  params: Params,
  response: z.object({
    /** Takes it back within some minutes, with what was in it. */
    undo_token: Id,
    /** Chats that moved up. */
    chats: z.number(),
  }),
});

export const restoreFolder = endpoint("POST", "/api/folders/restore", {
  summary: "Take the deletion of a folder back; what was moved elsewhere since stays there",
  access: "account",
  repeat: "key",
  body: z.object({ undo_token: Id }),
  response: z.object({ folder: Folder }),
});

/** What became of chats, and how many changed. */
const Filed = {
  /** One for each id in the order asked for; of a filter the refused ones alone, at most 100 of them. */
  results: z.array(BulkResult),
  changed: z.number(),
  refused: z.number(),
} as const;

export const fileChats = endpoint("POST", "/api/folders/chats", {
  summary: "Put chats, or all that a view holds, into a folder of their workspace, or with null out of theirs",
  access: "account",
  repeat: "same",
  body: z.union([z.object({ chat_ids: ChatIds, folder_id: z.nullable(Id) }), z.object({ filter: BulkFilter, folder_id: z.nullable(Id) })]),
  response: z.object({
    ...Filed,
    /** Takes a filter's filing back within some minutes, at `changeChats`; null for named chats, and where nothing changed. */
    undo_token: z.nullable(Id),
  }),
});

export const createTag = endpoint("POST", "/api/tags", {
  summary: "Make a tag; one of that name, whatever its capitals, is answered as it is",
  access: "account",
  repeat: "same",
  body: z.object({ name: TagName, hue: z.optional(Hue) }),
  response: z.object({ tag: Tag }),
  status: 201,
});

export const updateTag = endpoint("PATCH", "/api/tags/:id", {
  summary: "Rename or recolour a tag. A name that another tag has is refused with CONFLICT, or with `merge` makes one of the two",
  access: "account",
  params: Params,
  body: z.object({ name: z.optional(TagName), hue: z.optional(Hue), merge: z._default(z.boolean(), false) }),
  /** After a merge the tag that has the name, with the chats of both. */
  response: z.object({ tag: Tag }),
});

export const deleteTag = endpoint("DELETE", "/api/tags/:id", {
  summary: "Delete a tag and take it off all chats",
  access: "account",
  params: Params,
  response: Ok,
});

const Tagging = {
  add: z._default(z.array(TagName).check(z.maxLength(TAGS_A_CHAT, `A chat may have ${TAGS_A_CHAT} tags.`)), []),
  remove: z._default(z.array(Id).check(z.maxLength(TAGS_A_CHAT)), []),
} as const;

export const tagChats = endpoint("POST", "/api/tags/chats", {
  summary: "Put tags on chats, or on all that a view holds, by their names, which makes new ones, and take others off by their ids",
  access: "account",
  repeat: "same",
  body: z.union([z.object({ chat_ids: ChatIds, ...Tagging }), z.object({ filter: BulkFilter, ...Tagging })]),
  response: z.object({
    ...Filed,
    /** Those of `add`, in its order. */
    tags: z.array(Tag),
  }),
});
