import * as z from "zod/mini";
import { ChatSettingsInput } from "#shared/entities/chat-settings.ts";
import { Id } from "#shared/entities/ids.ts";
import { Message } from "#shared/entities/message.ts";
import { ATTACHMENTS_PER_MESSAGE, MESSAGES_PAGE, MESSAGES_PAGE_MAX, MESSAGE_LENGTH } from "#shared/limits.ts";
import { AcceptedEvent } from "#shared/reply-events.ts";
import { parsePosition } from "#shared/reply-position.ts";
import { Ok } from "#shared/contracts/account/auth.ts";
import { ChatParams, pageSize, FolderOfChat, TeamOfChat } from "./chats.ts";
import { endpoint } from "#shared/contracts/endpoint.ts";

/** What a turn is sent with: what is named is the chat's from now on, `settings_once` holds for this message alone. */
export const TurnSettings = z.extend(ChatSettingsInput, { settings_once: z.optional(ChatSettingsInput) });

export const MessageParams = z.object({ id: Id, messageId: Id });

/** A message's text: its length refused in words that say what to do. */
export const MessageText = z
  .string()
  .check(z.maxLength(MESSAGE_LENGTH, `This message is too long. Shorten it to ${MESSAGE_LENGTH.toLocaleString("en")} characters.`));

/** Ids of files that were uploaded to this chat. */
export const AttachmentIds = z.array(Id).check(
  z.maxLength(ATTACHMENTS_PER_MESSAGE, `A message takes at most ${ATTACHMENTS_PER_MESSAGE} files.`),
  z.refine((ids) => new Set(ids).size === ids.length, "A file is named twice."),
);

/** A message says something or carries something. */
export const saysSomething = z.refine<{ content: string; attachments?: string[] | undefined }>(
  ({ content, attachments }) => content.trim() !== "" || (attachments?.length ?? 0) > 0,
  "Write a message first.",
);

/** What a started turn answers with: the user's message and the reply to follow at `/api/chat/{id}/replies/{replyId}`. */
export const TurnStarted = z.omit(AcceptedEvent, { type: true });
export type TurnStarted = z.infer<typeof TurnStarted>;

export const listMessages = endpoint("GET", "/api/chat/:id/messages", {
  summary: "The active path, newest page first, each page in reading order",
  access: "user",
  action: "read",
  params: ChatParams,
  query: z.object({
    /** The oldest message already held; the page ends right before it. */
    before: z.optional(Id),
    /** A message to land on: its branch, with messages on both sides. */
    around: z.optional(Id),
    limit: pageSize(MESSAGES_PAGE, MESSAGES_PAGE_MAX),
  }),
  response: z.object({ messages: z.array(Message), nextCursor: z.nullable(z.string()) }),
});

export const sendMessage = endpoint("POST", "/api/chat/:id/messages", {
  summary: "Send a message; the first one creates the chat. The same id again answers the same",
  access: "visitor",
  action: "send",
  repeat: "id",
  params: ChatParams,
  body: z
    .object({
      id: Id,
      parent_id: z.nullable(Id),
      team_id: TeamOfChat,
      /** One that is gone meanwhile leaves the chat in none. */
      folder_id: FolderOfChat,
      content: MessageText,
      attachments: z.optional(AttachmentIds),
      ...TurnSettings.shape,
    })
    .check(saysSomething),
  response: TurnStarted,
  status: 202,
  streams: true,
});

export const regenerateReply = endpoint("POST", "/api/chat/:id/messages/:messageId/regenerate", {
  summary: "Answer again, beside the earlier answer. `id` is the new reply's",
  access: "user",
  action: "regenerate",
  repeat: "id",
  params: MessageParams,
  body: z.object({ id: Id, ...TurnSettings.shape }),
  response: TurnStarted,
  status: 202,
  streams: true,
});

export const editMessage = endpoint("POST", "/api/chat/:id/messages/:messageId/edit", {
  summary: "Send another version of a message, as a branch. `id` is the new version's; without `attachments` it carries the earlier one's",
  access: "user",
  action: "edit_own",
  repeat: "id",
  params: MessageParams,
  body: z.object({ id: Id, content: MessageText, attachments: z.optional(AttachmentIds), ...TurnSettings.shape }).check(saysSomething),
  response: TurnStarted,
  status: 202,
  streams: true,
});

export const selectVersion = endpoint("POST", "/api/chat/:id/messages/:messageId/select", {
  summary: "Show the branch that leads through this message, for the caller alone",
  access: "user",
  action: "mark",
  repeat: "same",
  params: MessageParams,
  response: z.object({ messages: z.array(Message), nextCursor: z.nullable(z.string()) }),
});

export const continueReply = endpoint("POST", "/api/chat/:id/messages/:messageId/continue", {
  summary: "Go on with an interrupted, stopped or cut-off reply",
  access: "user",
  action: "send",
  repeat: "key",
  params: MessageParams,
  response: TurnStarted,
  status: 202,
  streams: true,
});

export const stopReply = endpoint("POST", "/api/chat/:id/stop", {
  summary: "Stop the reply in progress and keep what was produced",
  access: "user",
  action: "stop",
  repeat: "same",
  params: ChatParams,
  response: Ok,
});

export const followReply = endpoint("GET", "/api/chat/:id/replies/:replyId", {
  summary: "The reply's events (text/event-stream); Last-Event-ID resumes",
  access: "user",
  action: "read",
  params: z.object({ id: Id, replyId: Id }),
  query: z.object({
    /** The last event already held, for a first connection: a browser says Last-Event-ID, which goes before it, only when it connects again. */
    after: z.optional(z.string().check(z.refine((text) => parsePosition(text) !== null, "This is no event's id."))),
  }),
});
