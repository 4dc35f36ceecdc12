import type { Persona } from "#shared/entities/persona.ts";
import { type ContentRights, contentRights } from "#shared/shared-content.ts";
import { useSession } from "#web/features/session/use-session.ts";
import { useTeams } from "#web/features/sharing/use-shares.ts";

type Standing = {
  rights: ContentRights;
  /** Of the team that it belongs to; null for a personal one. */
  teamName: string | null;
};

/** Tells what this person may do with a persona, and whose it is. */
export function usePersonaRights(): (persona: Persona) => Standing {
  const { user } = useSession();
  const { data } = useTeams();
  return (persona) => {
    const team = data?.teams.find(({ id }) => id === persona.team_id);
    // Until the teams are known, and for who left, as a member.
    const standing =
      persona.team_id === null
        ? null
        : { role: team?.user_role ?? ("member" as const), contentAdminOnly: team?.content_admin_only === true };
    return {
      rights: contentRights(persona, user?.id ?? "", standing),
      teamName: persona.team_id === null ? null : (team?.name ?? "Team"),
    };
  };
}
