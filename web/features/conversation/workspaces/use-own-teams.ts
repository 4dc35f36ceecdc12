import type { Team } from "#shared/entities/team.ts";
import { useTeams } from "#web/features/people/teams/own-teams.ts";

const NONE: readonly Team[] = [];

/** The person's teams by name as far as they were read, which the page does by itself once it is at rest. */
export function useOwnTeams(): readonly Team[] {
  return useTeams(false).data?.teams ?? NONE;
}
