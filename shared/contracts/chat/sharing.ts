import * as z from "zod/mini";
import { ChatDetails } from "#shared/entities/chat.ts";
import { Id } from "#shared/entities/ids.ts";
import { PublicChat } from "#shared/entities/public-chat.ts";
import { ChatPerson, ShareLevel, Shares } from "#shared/entities/share.ts";
import { EmailAddress, Ok } from "#shared/contracts/account/auth.ts";
import { ChatParams } from "./chats.ts";
import { endpoint } from "#shared/contracts/endpoint.ts";

export const listShares = endpoint("GET", "/api/chat/:id/shares", {
  summary: "Who reaches a chat; members see it, and addresses only those who may share",
  access: "account",
  action: "search",
  params: ChatParams,
  response: Shares,
});

export const listPeople = endpoint("GET", "/api/chat/:id/people", {
  summary: "Who is in a chat, its owner first, by name and picture; for its members",
  access: "account",
  action: "search",
  params: ChatParams,
  response: z.object({ people: z.array(ChatPerson) }),
});

/**
 * `invite` mails an address without an account and keeps the share until it signs up; without it such an address is `USER_NOT_FOUND`.
 * `invite_id` is an unused invite of the caller's, whose code goes along; signing up by invitation needs one.
 */
export const ShareInput = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("user"),
    email: EmailAddress,
    permissionLevel: ShareLevel,
    invite: z.optional(z.boolean()),
    invite_id: z.optional(Id),
  }),
  z.object({ type: z.literal("team"), teamId: Id, permissionLevel: ShareLevel }),
]);
export type ShareInput = z.infer<typeof ShareInput>;

export const shareChat = endpoint("POST", "/api/chat/:id/share", {
  summary: "Share a chat with a person or a team, or change the level of a share; answers who reaches it now",
  access: "account",
  action: "share",
  repeat: "key",
  params: ChatParams,
  body: ShareInput,
  response: Shares,
});

const ShareParams = z.extend(ChatParams, { shareId: Id });

export const removeShare = endpoint("DELETE", "/api/chat/:id/shares/:shareId", {
  summary: "Take a person's share, or an invited address's, back; their streams end at once",
  access: "account",
  action: "share",
  params: ShareParams,
  response: Ok,
});

export const removeTeamShare = endpoint("DELETE", "/api/chat/:id/team-shares/:shareId", {
  summary: "Take a team's share back; the streams of those who reached the chat by it alone end at once",
  access: "account",
  action: "share",
  params: ShareParams,
  response: Ok,
});

export const leaveChat = endpoint("DELETE", "/api/chat/:id/membership", {
  summary: "Leave a chat that others share with the caller; its owner deletes it instead",
  access: "account",
  action: "leave",
  params: ChatParams,
  response: Ok,
});

const PageQuery = z.object({ page: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(1_000_000)), 1) });

export const getPublicChat = endpoint("GET", "/api/public/chats/:id", {
  summary: "A page of a published chat: its words alone, for anyone",
  access: "anyone",
  params: ChatParams,
  query: PageQuery,
  response: z.object({ chat: PublicChat }),
});

export const copyPublicChat = endpoint("POST", "/api/public/chats/:id/fork", {
  summary: "A chat of the caller's own with the words of a published one, without files; the same again answers the same copy",
  access: "account",
  repeat: "same",
  params: ChatParams,
  body: z.object({}),
  response: z.object({ chat: ChatDetails }),
});
