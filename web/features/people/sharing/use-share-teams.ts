import { useQuery } from "@tanstack/react-query";
import { listUserTeams } from "#shared/contracts/account/teams.ts";
import type { ResponseOf } from "#shared/contracts/endpoint.ts";
import { call } from "#web/lib/api.ts";
import { lifetimes } from "#web/lib/lifetimes.ts";
import { keys, queryClient } from "#web/lib/query.ts";

type TeamsAnswer = ResponseOf<typeof listUserTeams>;

/** The teams one can share with; until they were asked for, all that one is in. */
export function useShareTeams() {
  return useQuery<TeamsAnswer>({
    placeholderData: () => queryClient.getQueryData<TeamsAnswer>(keys.ownTeams),
    queryKey: keys.userTeams,
    queryFn: ({ signal }) => call(listUserTeams, {}, { signal }),
    staleTime: lifetimes.teams,
  });
}
