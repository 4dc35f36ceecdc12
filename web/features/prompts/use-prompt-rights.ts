import type { PromptSummary } from "#shared/entities/prompt.ts";
import { type ContentRights, contentRights } from "#shared/shared-content.ts";
import { useSession } from "#web/features/session/use-session.ts";
import { useTeams } from "#web/features/sharing/use-shares.ts";

type Standing = { rights: ContentRights; isOwn: boolean; teamName: string | null };

const NEW: Standing = { rights: { use: true, edit: true, share: false, delete: false }, isOwn: true, teamName: null };

/** What this person may do with a prompt (null: one that they make), and the name of the team that it belongs to; null for a personal one. */
export function usePromptRights(prompt: Pick<PromptSummary, "user_id" | "team_id"> | null): Standing {
  const { user } = useSession();
  const teams = useTeams().data?.teams;
  if (prompt === null) return NEW;
  const team = teams?.find(({ id }) => id === prompt.team_id);
  const standing = prompt.team_id === null ? null : { role: team?.user_role ?? "member", contentAdminOnly: false };
  return {
    rights: contentRights(prompt, user?.id ?? "", standing),
    isOwn: prompt.user_id === user?.id,
    teamName: prompt.team_id === null ? null : (team?.name ?? "Team"),
  };
}
