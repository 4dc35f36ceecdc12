import * as z from "zod/mini";
import { Id, Timestamp } from "../entities/ids.ts";
import { WorkspaceId } from "../entities/workspace.ts";
import { SEARCH_PAGE, SEARCH_PAGE_MAX, SEARCH_QUERY_LENGTH } from "../limits.ts";
import { pageCursor, pageSize } from "#shared/contracts/chat/chats.ts";
import { endpoint } from "./endpoint.ts";

/** What can be found: a chat by its title, a message, an item of a todo list, a mail. */
export const SearchKind = z.enum(["chat", "message", "todo", "email"]);
export type SearchKind = z.infer<typeof SearchKind>;

/** A text with the parts of it that matched, from `start` up to `end` in UTF-16 units, in order and apart from each other. */
export const MarkedText = z.object({ text: z.string(), ranges: z.array(z.object({ start: z.number(), end: z.number() })) });
export type MarkedText = z.infer<typeof MarkedText>;

export const SearchHit = z.object({
  kind: SearchKind,
  /** The chat's, the message's, the todo's or the mail's id, by kind. */
  id: Id,
  chat: z.object({
    id: Id,
    title: MarkedText,
    isRead: z.boolean(),
    isPinned: z.boolean(),
    archived: z.boolean(),
    /** Shared with the caller, or by the caller. */
    isShared: z.boolean(),
  }),
  /** Who wrote it: the caller is "You", a model stands by its id's last part; null where nobody is named. */
  author: z.nullable(z.string()),
  /** The model that wrote it, for its name in the catalogue; null where a person did. */
  model_id: z.nullable(z.string()),
  /** When it was written; of a chat, when it was last written in. */
  time: Timestamp,
  snippet: MarkedText,
});
export type SearchHit = z.infer<typeof SearchHit>;

/** An artifact that matched, by its title or the passage of its text. */
export const ArtifactHit = z.object({ id: Id, title: MarkedText, snippet: MarkedText, time: Timestamp });
export type ArtifactHit = z.infer<typeof ArtifactHit>;

/** What can be asked for: artifacts come beside the places in chats. */
export const SoughtKind = z.enum(["chat", "message", "todo", "email", "artifact"]);
export type SoughtKind = z.infer<typeof SoughtKind>;

/** A name after `in:` that no folder has, which titles are searched for instead; or after `tag:` that no tag has. */
export const UnknownName = z.object({ name: z.enum(["in", "tag"]), value: z.string() });
export type UnknownName = z.infer<typeof UnknownName>;

/** Numbers of the index below which messages and todos, and chats, go on. */
const SEARCH_CURSOR = /^(?:\d{1,15}(?:c\d{1,15})?|c\d{1,15})$/;

export const search = endpoint("GET", "/api/search", {
  summary:
    'Find chats, messages, todos, mails and artifacts of the caller. `q` takes words, the last one also as a beginning, "phrases", and in:folder (with what is below it; a path as in:"Work/Acme" too) in:title tag: in:chats in:messages in:todos in:emails from: is:unread is:pinned is:shared is:public is:archived before: after:',
  access: "user",
  query: z.object({
    q: z._default(z.string().check(z.maxLength(SEARCH_QUERY_LENGTH, "That search is too long.")), ""),
    /** All kinds where it is absent. */
    kind: z.optional(SoughtKind),
    workspace: z._default(WorkspaceId, "all"),
    cursor: pageCursor(SEARCH_CURSOR),
    limit: pageSize(SEARCH_PAGE, SEARCH_PAGE_MAX),
  }),
  response: z.object({
    /** Chats by their titles first, then the rest; each newest first. */
    hits: z.array(SearchHit),
    nextCursor: z.nullable(z.string()),
    /** Artifacts that the caller may read, the last changed first; with the first page of a search of everything, or of these alone. */
    artifacts: z.optional(z.array(ArtifactHit)),
    unknown: z.optional(z.array(UnknownName)),
    /** True while texts that changed lately are still being read: asking again may find more. */
    isIncomplete: z.boolean(),
  }),
});
