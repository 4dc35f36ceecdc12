import * as z from "zod/mini";
import { Id } from "#shared/entities/ids.ts";
import { Team, TeamInvitation, TeamMember, TeamRole } from "#shared/entities/team.ts";
import { TEAM_DESCRIPTION_LENGTH, TEAM_NAME_LENGTH } from "#shared/limits.ts";
import { EmailAddress, Ok } from "./auth.ts";
import { asName } from "#shared/contracts/as-name.ts";
import { endpoint } from "#shared/contracts/endpoint.ts";

const TeamParams = z.object({ id: Id });

export const TeamName = z
  .string("Team name is required")
  .check(asName, z.minLength(1, "Team name is required"), z.maxLength(TEAM_NAME_LENGTH, "Shorten the name of the team to 100 characters."));

export const TeamDescription = z
  .string()
  .check(z.trim(), z.maxLength(TEAM_DESCRIPTION_LENGTH, "Shorten the description of the team to 500 characters."));

export const listTeams = endpoint("GET", "/api/teams", {
  summary: "The caller's teams, by name",
  access: "account",
  response: z.object({ teams: z.array(Team) }),
});

export const listUserTeams = endpoint("GET", "/api/user/teams", {
  summary: "The teams that the caller may share with, by name: one that leaves its content to its admins is there for those alone",
  access: "account",
  response: z.object({ teams: z.array(Team) }),
});

export const createTeam = endpoint("POST", "/api/teams", {
  summary: "Create a team, whose admin the caller is; needs the team plan, or a deployment that lets others do so",
  access: "account",
  repeat: "key",
  body: z.object({ id: z.optional(Id), name: TeamName, description: z.nullish(TeamDescription) }),
  response: z.object({ team: Team }),
  status: 201,
});

export const updateTeam = endpoint("PATCH", "/api/teams/:id", {
  summary: "Rename or describe a team, or set who sees its members and who makes its content; admins only",
  access: "account",
  params: TeamParams,
  body: z.partial(
    z.object({
      name: TeamName,
      description: z.nullable(TeamDescription),
      members_restricted: z.boolean(),
      content_admin_only: z.boolean(),
    }),
  ),
  response: z.object({ team: Team }),
});

export const deleteTeam = endpoint("DELETE", "/api/teams/:id", {
  summary: "Delete a team; its creator only. What it shared stays with those who own it",
  access: "account",
  params: TeamParams,
  response: Ok,
});

export const listTeamMembers = endpoint("GET", "/api/teams/:id/members", {
  summary: "Who is in a team, admins first, then by name; in a restricted team its admins alone see it",
  access: "account",
  params: TeamParams,
  response: z.object({ members: z.array(TeamMember) }),
});

export const updateTeamMember = endpoint("PATCH", "/api/teams/:id/members", {
  summary: "Make a member an admin or an admin a member; admins only, and the creator stays admin",
  access: "account",
  params: TeamParams,
  body: z.object({ userId: Id, role: TeamRole }),
  response: Ok,
});

export const removeTeamMember = endpoint("DELETE", "/api/teams/:id/members", {
  summary: "Remove a member, as an admin; or leave, as a member, with one's own id. The creator stays, and an admin becomes a member first",
  access: "account",
  params: TeamParams,
  query: z.object({ userId: Id }),
  response: Ok,
});

export const listTeamInvitations = endpoint("GET", "/api/teams/invitations", {
  summary: "A team's open invitations, newest first; admins only",
  access: "account",
  query: z.object({ teamId: Id }),
  response: z.object({ invitations: z.array(TeamInvitation) }),
});

export const sendTeamInvitation = endpoint("POST", "/api/teams/invitations/send", {
  summary: "Invite an address to a team by mail; admins only. An open invitation of the address is sent again and counts anew from now",
  access: "account",
  repeat: "key",
  body: z.object({ teamId: Id, email: EmailAddress }),
  response: z.object({ invitation: TeamInvitation, emailSent: z.boolean() }),
});

export const cancelTeamInvitation = endpoint("PUT", "/api/teams/invitations", {
  summary: "Cancel an open invitation; admins only",
  access: "account",
  body: z.object({ invitationId: Id, status: z.literal("cancelled") }),
  response: Ok,
});

/** More than the characters that any token has: an id and a signature. */
const TOKEN_LENGTH = 200;

const TokenParams = z.object({ token: z.string().check(z.minLength(1), z.maxLength(TOKEN_LENGTH)) });

export const getTeamInvitation = endpoint("GET", "/api/teams/invitations/:token", {
  summary: "What an invitation's link leads to, for anyone who has it",
  access: "anyone",
  params: TokenParams,
  response: z.object({ invitation: TeamInvitation }),
});

export const acceptTeamInvitation = endpoint("POST", "/api/teams/invitations/:token", {
  summary: "Accept an open invitation of the caller's own address; again answers the same",
  access: "account",
  repeat: "same",
  params: TokenParams,
  body: z.object({}),
  response: z.object({ team: Team }),
});
