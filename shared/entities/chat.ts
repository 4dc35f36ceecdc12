import * as z from "zod/mini";
import { Id, Timestamp } from "./ids.ts";

export const PermissionLevel = z.enum(["owner", "editor", "viewer"]);
export type PermissionLevel = z.infer<typeof PermissionLevel>;

/** A row of the chat list (spec 3, Chat), as one person sees it: marks are their own. */
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
  created_at: Timestamp,
  isShared: z.boolean(),
  hasBeenShared: z.boolean(),
  permissionLevel: PermissionLevel,
  sharedByName: z.nullable(z.string()),
  /** True while a reply is being written. */
  isStreaming: z.boolean(),
});
export type Chat = z.infer<typeof Chat>;

/** A chat opened: its row and what its next message would be sent with. */
export const ChatDetails = z.extend(Chat, {
  model_id: z.nullable(z.string()),
  /** The optional tool categories that are on. */
  tool_categories: z.array(z.string()),
  /** Sum of the messages' costs in US dollars. */
  cost: z.number(),
});
export type ChatDetails = z.infer<typeof ChatDetails>;
