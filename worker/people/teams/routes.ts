import type { Hono } from "hono";
import {
  acceptTeamInvitation,
  cancelTeamInvitation,
  createTeam,
  deleteTeam,
  getTeamInvitation,
  listTeamInvitations,
  listTeamMembers,
  listTeams,
  listUserTeams,
  removeTeamMember,
  sendTeamInvitation,
  updateTeam,
  updateTeamMember,
} from "#shared/contracts/account/teams.ts";
import type { AppContext } from "#worker/platform/env.ts";
import { ownOrigin } from "#worker/platform/http/origin.ts";
import { serve } from "#worker/people/callers/serve.ts";
import { acceptInvitation, cancelInvitation, invite, readInvitation, readInvitations } from "./invitations.ts";
import { changeRole, changeTeam, makeTeam, readMembers, readTeams, readTeamsToShareWith, removeMember, removeTeam } from "./teams.ts";

/** Mounts teams, who is in them, and the invitations to them. */
export function teamRoutes(app: Hono<AppContext>): void {
  serve(app, listTeams, async ({ c, caller }) => ({ teams: await readTeams(c.var.db, caller.userId) }));

  serve(app, listUserTeams, async ({ c, caller }) => ({ teams: await readTeamsToShareWith(c.var.db, caller.userId) }));

  serve(app, createTeam, async ({ c, caller, body }) => ({ team: await makeTeam(c.env, c.var.db, caller, body) }));

  serve(app, listTeamInvitations, async ({ c, caller, query }) => ({
    invitations: await readInvitations(c.env, c.var.db, caller, query.teamId),
  }));

  serve(app, sendTeamInvitation, ({ c, caller, body }) => invite(c.env, c.var.db, caller, { ...body, origin: ownOrigin(c) }));

  serve(app, cancelTeamInvitation, async ({ c, caller, body }) => {
    await cancelInvitation(c.env, c.var.db, caller, body.invitationId);
    return OK;
  });

  serve(app, getTeamInvitation, async ({ c, caller, params }) => ({
    invitation: await readInvitation(c.env, c.var.db, { token: params.token, caller, ip: c.var.ip }),
  }));

  serve(app, acceptTeamInvitation, async ({ c, caller, params }) => ({
    team: await acceptInvitation(c.env, c.var.db, caller, params.token),
  }));

  serve(app, updateTeam, async ({ c, caller, params, body }) => ({ team: await changeTeam(c.env, c.var.db, caller, params.id, body) }));

  serve(app, deleteTeam, async ({ c, caller, params }) => {
    await removeTeam(c.env, c.var.db, caller, params.id);
    return OK;
  });

  serve(app, listTeamMembers, async ({ c, caller, params }) => ({ members: await readMembers(c.var.db, params.id, caller.userId) }));

  serve(app, updateTeamMember, async ({ c, caller, params, body }) => {
    await changeRole(c.env, c.var.db, caller, { teamId: params.id, ...body });
    return OK;
  });

  serve(app, removeTeamMember, async ({ c, caller, params, query }) => {
    await removeMember(c.env, c.var.db, caller, { teamId: params.id, userId: query.userId });
    return OK;
  });
}

const OK = { ok: true } as const;
