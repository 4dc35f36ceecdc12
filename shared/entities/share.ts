import * as z from "zod/mini";
import { Id, Timestamp } from "./ids.ts";

export const ShareLevel = z.enum(["editor", "viewer"]);
export type ShareLevel = z.infer<typeof ShareLevel>;

export const UserShare = z.object({
  id: Id,
  /** Null while the address is only invited. */
  userId: z.nullable(Id),
  userDisplayName: z.nullable(z.string()),
  /** Empty for a viewer, who sees who is here and not how to write to them. */
  userEmail: z.string(),
  permissionLevel: ShareLevel,
  sharedAt: Timestamp,
  /** True until the invited address signs up. */
  pending: z.boolean(),
});
export type UserShare = z.infer<typeof UserShare>;

export const TeamShare = z.object({ id: Id, teamId: Id, teamName: z.string(), permissionLevel: ShareLevel, sharedAt: Timestamp });
export type TeamShare = z.infer<typeof TeamShare>;

/** Who reaches a chat, and how. */
export const Shares = z.object({
  creator: z.object({ displayName: z.string(), email: z.string() }),
  userShares: z.array(UserShare),
  teamShares: z.array(TeamShare),
});
export type Shares = z.infer<typeof Shares>;

/** Somebody who is in a chat, as the others see them. */
export const ChatPerson = z.object({ id: Id, display_name: z.string(), profile_image: z.nullable(z.string()) });
export type ChatPerson = z.infer<typeof ChatPerson>;
