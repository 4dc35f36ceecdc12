import { useMutation, useQuery } from "@tanstack/react-query";
import type { BodyOf } from "#shared/contracts/endpoint.ts";
import { getTeamUsage, listOwnTeamUsage, updateTeamBudgets } from "#shared/contracts/account/team-usage.ts";
import type { OwnTeamUsage } from "#shared/entities/team-usage.ts";
import { call } from "#web/lib/api.ts";
import { lifetimes } from "#web/lib/lifetimes.ts";
import { onLive } from "#web/lib/live.ts";
import { keys, queryClient } from "#web/lib/query.ts";

/** What a team's chats cost in a month, for its admins. */
export function useTeamUsage(teamId: string, month: string, withToday: boolean) {
  return useQuery({
    queryKey: keys.teamUsage(teamId, month, withToday),
    queryFn: ({ signal }) =>
      call(getTeamUsage, { params: { id: teamId }, query: { month, ...(withToday && { today: "true" }) } }, { signal }),
    staleTime: lifetimes.short,
    // The months before stay while the next one comes.
    placeholderData: (before) => (before?.usage.month === month ? before : undefined),
  });
}

/** What the person spent in a team this month, and their budget there. */
export function useOwnTeamUsage(teamId: string): OwnTeamUsage | null {
  const { data } = useQuery({
    queryKey: keys.ownTeamUsage,
    queryFn: ({ signal }) => call(listOwnTeamUsage, {}, { signal }),
    staleTime: lifetimes.short,
  });
  return data?.teams.find(({ team_id: id }) => id === teamId) ?? null;
}

/** Sets budgets of a team. */
export function useSetBudgets(teamId: string) {
  return useMutation({
    mutationFn: (body: BodyOf<typeof updateTeamBudgets>) => call(updateTeamBudgets, { params: { id: teamId }, body }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: keys.teams }),
  });
}

/** Keeps what is known of one's own budgets right as turns are charged; the way to stop. */
export function followBudgets(): () => void {
  return onLive((event) => {
    if (event.type !== "budget.changed") return;
    const { team_id, name, spent, budget } = event;
    queryClient.setQueryData<{ teams: OwnTeamUsage[] }>(
      keys.ownTeamUsage,
      (held) => held && { teams: held.teams.map((own) => (own.team_id === team_id ? { ...own, name, spent, budget } : own)) },
    );
  });
}
