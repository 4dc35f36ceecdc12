import { useMutation, useQuery } from "@tanstack/react-query";
import type { BodyOf } from "#shared/contracts/endpoint.ts";
import {
  cancelTeamInvitation,
  createTeam,
  deleteTeam,
  listTeamInvitations,
  listTeamMembers,
  removeTeamMember,
  sendTeamInvitation,
  updateTeam,
  updateTeamMember,
} from "#shared/contracts/account/teams.ts";
import type { Team, TeamRole } from "#shared/entities/team.ts";
import { call } from "#web/lib/api.ts";
import { forgetWhenSaved } from "#web/lib/draft-form.ts";
import { lifetimes } from "#web/lib/lifetimes.ts";
import { keys, queryClient } from "#web/lib/query.ts";
import { toast } from "#web/ui/toast/toast.tsx";
import { teamDrafts } from "./team-draft.ts";

type TeamsAnswer = { teams: Team[] };

/** Who is in a team. */
export function useMembers(teamId: string, enabled: boolean) {
  return useQuery({
    queryKey: keys.teamMembers(teamId),
    queryFn: ({ signal }) => call(listTeamMembers, { params: { id: teamId } }, { signal }),
    staleTime: lifetimes.short,
    enabled,
  });
}

/** A team's open invitations, for its admins. */
export function useInvitations(teamId: string, enabled: boolean) {
  return useQuery({
    queryKey: keys.teamInvitations(teamId),
    queryFn: ({ signal }) => call(listTeamInvitations, { query: { teamId } }, { signal }),
    staleTime: lifetimes.short,
    enabled,
  });
}

/** Makes a team; it stands in the list at once. `form` is where its draft is kept. */
export function useCreateTeam(form?: string) {
  return useMutation({
    mutationFn: (body: BodyOf<typeof createTeam>) => call(createTeam, { body }),
    ...forgetWhenSaved(teamDrafts, form, ({ team }: { team: Team }) => {
      keepTeams((teams) =>
        [...teams.filter(({ id }) => id !== team.id), team].toSorted((one, other) => one.name.localeCompare(other.name)),
      );
      succeeded("Team created successfully");
      void readAnew();
    }),
    onError: failed("Failed to create team"),
  });
}

/** Changes a team's name, description or rules; `form` is where its draft is kept. */
export function useUpdateTeam(teamId: string, form?: string) {
  return useMutation({
    mutationFn: (body: BodyOf<typeof updateTeam>) => call(updateTeam, { params: { id: teamId }, body }),
    ...forgetWhenSaved(teamDrafts, form, ({ team }: { team: Team }) => {
      keepTeams((teams) => teams.map((held) => (held.id === team.id ? team : held)));
      void readAnew();
    }),
    onError: failed("Failed to change team"),
  });
}

/** Deletes a team, as its creator. */
export function useDeleteTeam(teamId: string) {
  return useMutation({
    mutationFn: () => call(deleteTeam, { params: { id: teamId } }),
    onSuccess: () => {
      dropTeam(teamId);
      succeeded("Team deleted successfully");
      void readAnew();
    },
    onError: failed("Failed to delete team"),
  });
}

/** Leaves a team; an admin becomes a member first. */
export function useLeaveTeam({ id, user_role: role }: Team, userId: string) {
  return useMutation({
    mutationFn: async () => {
      const params = { id };
      if (role === "admin") await call(updateTeamMember, { params, body: { userId, role: "member" } });
      await call(removeTeamMember, { params, query: { userId } });
    },
    onSuccess: () => {
      dropTeam(id);
      succeeded("You left the team");
    },
    onError: failed("Failed to leave team"),
    onSettled: () => void readAnew(),
  });
}

/** Gives a member another role. */
export function useChangeRole(teamId: string) {
  return useMutation({
    mutationFn: (body: { userId: string; role: TeamRole }) => call(updateTeamMember, { params: { id: teamId }, body }),
    onError: failed("Failed to change role"),
    onSettled: readAnew,
  });
}

/** Takes a member out of a team. */
export function useRemoveMember(teamId: string) {
  return useMutation({
    mutationFn: (userId: string) => call(removeTeamMember, { params: { id: teamId }, query: { userId } }),
    onSuccess: () => succeeded("Member removed successfully"),
    onError: failed("Failed to remove member"),
    onSettled: readAnew,
  });
}

/** Invites an address by mail; the caller says how that went where only the mail failed. */
export function useInvite(teamId: string) {
  return useMutation({
    mutationFn: (email: string) => call(sendTeamInvitation, { body: { teamId, email } }),
    onError: failed("Failed to send invitation"),
    onSettled: readAnew,
  });
}

/** Takes an open invitation back. */
export function useCancelInvitation() {
  return useMutation({
    mutationFn: (invitationId: string) => call(cancelTeamInvitation, { body: { invitationId, status: "cancelled" } }),
    onSuccess: () => succeeded("Invitation cancelled"),
    onError: failed("Failed to cancel invitation"),
    onSettled: readAnew,
  });
}

function keepTeams(change: (teams: Team[]) => Team[]): void {
  queryClient.setQueryData<TeamsAnswer>(keys.ownTeams, (held) => held && { teams: change(held.teams) });
}

function dropTeam(teamId: string): void {
  keepTeams((teams) => teams.filter(({ id }) => id !== teamId));
}

function readAnew(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: keys.teams });
}

function succeeded(title: string): void {
  toast({ title, tone: "success" });
}

function failed(title: string): (error: Error) => void {
  return (error) => toast({ title, description: error.message, tone: "danger" });
}
