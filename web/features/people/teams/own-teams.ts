import { useQuery } from "@tanstack/react-query";
import { listTeams } from "#shared/contracts/account/teams.ts";
import { call } from "#web/lib/api.ts";
import { lifetimes } from "#web/lib/lifetimes.ts";
import { keys } from "#web/lib/query.ts";

/** The person's teams by name, kept long: making and deleting one reads them again, and so does the news of any change. */
export function useTeams(enabled: boolean) {
  return useQuery({
    queryKey: keys.ownTeams,
    queryFn: ({ signal }) => call(listTeams, {}, { signal }),
    staleTime: lifetimes.teams,
    enabled,
  });
}
