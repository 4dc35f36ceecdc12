import type { Persona } from "#shared/entities/persona.ts";
import { type ContentRights, contentRights } from "#shared/shared-content.ts";
import { useSession } from "#web/features/session/use-session.ts";
import { useTeams } from "#web/features/sharing/use-shares.ts";

/** What this person may do with a persona, and the name of the team that it belongs to; null for a personal one. */
export function usePersonaRights(persona: Persona): { rights: ContentRights; teamName: string | null } {
  const { user } = useSession();
  const team = useTeams().data?.teams.find(({ id }) => id === persona.team_id);
  const standing = persona.team_id === null ? null : { role: team?.user_role ?? "member", contentAdminOnly: false };
  return {
    rights: contentRights(persona, user?.id ?? "", standing),
    teamName: persona.team_id === null ? null : (team?.name ?? "Team"),
  };
}
