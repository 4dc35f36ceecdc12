import * as z from "zod/mini";
import { Id, Timestamp } from "./ids.ts";

/** What a member may do in a team: an admin manages it. */
export const TeamRole = z.enum(["admin", "member"]);
export type TeamRole = z.infer<typeof TeamRole>;

/** A team as one of its members sees it. */
export const Team = z.object({
  id: Id,
  name: z.string(),
  description: z.nullable(z.string()),
  user_role: TeamRole,
  created_by: Id,
  created_at: Timestamp,
  memberCount: z.number(),
  /** True where admins alone see who is in it. */
  members_restricted: z.boolean(),
  /** True where admins alone make, edit and share its content. */
  content_admin_only: z.boolean(),
});
export type Team = z.infer<typeof Team>;

export const TeamMember = z.object({
  id: Id,
  user_id: Id,
  role: TeamRole,
  users: z.object({ display_name: z.string(), email: z.nullable(z.string()), profile_image: z.nullable(z.string()) }),
});
export type TeamMember = z.infer<typeof TeamMember>;

/** An invitation whose date is past counts as expired, whatever is stored. */
export const TeamInvitationStatus = z.enum(["pending", "accepted", "cancelled", "expired"]);
export type TeamInvitationStatus = z.infer<typeof TeamInvitationStatus>;

/**
 * An invitation of an address to a team. Whoever only has its link learns the team's name and who invites by name;
 * the team's description and size and the inviter's address are for its admins and for the invited address.
 */
export const TeamInvitation = z.object({
  id: Id,
  email: z.string(),
  token: z.string(),
  status: TeamInvitationStatus,
  expires_at: Timestamp,
  created_at: Timestamp,
  /** When it was accepted or cancelled. */
  decided_at: z.nullable(Timestamp),
  teams: z.object({ name: z.string(), description: z.nullable(z.string()), memberCount: z.nullable(z.number()) }),
  inviter: z.object({ display_name: z.string(), email: z.nullable(z.string()) }),
});
export type TeamInvitation = z.infer<typeof TeamInvitation>;
