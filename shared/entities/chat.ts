import * as z from "zod/mini";
import { ChatSettings } from "./chat-settings.ts";
import { Id, Timestamp } from "./ids.ts";

export const PermissionLevel = z.enum(["owner", "editor", "viewer"]);
export type PermissionLevel = z.infer<typeof PermissionLevel>;

/** A row of the chat list, as one person sees it: marks are their own. */
export const Chat = z.object({
  id: Id,
  user_id: Id,
  /** Empty until the first exchange gave it one. */
  title: z.string(),
  public: z.boolean(),
  archived: z.boolean(),
  isPinned: z.boolean(),
  isRead: z.boolean(),
  lastMessageAt: Timestamp,
  lastMessagePreview: z.string(),
  lastMessageSender: z.string(),
  /** The model whose the last message is; null for a person's. */
  lastMessageModel: z.nullable(z.string()),
  created_at: Timestamp,
  isShared: z.boolean(),
  hasBeenShared: z.boolean(),
  permissionLevel: PermissionLevel,
  sharedByName: z.nullable(z.string()),
  /** Whose it is, where it is shared with the reader: an editor may have shared it. */
  ownerName: z.nullable(z.string()),
  /** True while a reply is being written. */
  isStreaming: z.boolean(),
  /** True while a reply waits for somebody's approval of a tool call. */
  isWaiting: z.boolean(),
  /** True where it has mails, in or out, or one that waits to be sent; false for whoever sees none. */
  hasMails: z.boolean(),
  /** The reader's own teams that it is shared with: in whose workspaces it stands. */
  teams: z.array(Id),
  /** The reader's own folder that it is in, of a workspace that it stands in; null for none. */
  folder_id: z.nullable(Id),
  /** The reader's own tags on it. */
  tags: z.array(Id),
});
export type Chat = z.infer<typeof Chat>;

/** Where a fork began: the chat, its title then, and the last message that was taken along. */
export const ForkOrigin = z.object({ chat_id: Id, message_id: Id, title: z.string() });
export type ForkOrigin = z.infer<typeof ForkOrigin>;

/** A chat opened: its row and what its next message would be sent with. */
export const ChatDetails = z.extend(Chat, {
  ...ChatSettings.shape,
  /** Sum of the messages' costs in US dollars. */
  cost: z.number(),
  /** Its mails in and out, `MAILS_COUNTED` where there are more; 0 for who sees none. */
  mail_count: z.number(),
  /** Null for a chat that is no fork. */
  forked_from: z.nullable(ForkOrigin),
  /** The reader's own team in whose workspace it was begun, which its costs are reported to. */
  team_id: z.nullable(Id),
});
export type ChatDetails = z.infer<typeof ChatDetails>;
