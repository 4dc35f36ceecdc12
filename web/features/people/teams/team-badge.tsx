import { Users } from "lucide-react";
import { useTeams } from "#web/features/people/teams/own-teams.ts";
import { Badge } from "#web/ui/badge.tsx";
import { teamNameOf } from "./use-content-rights.ts";

/** The team that a persona or a prompt belongs to; nothing for a personal one. */
export function TeamBadge({ teamId }: { teamId: string | null }) {
  const name = teamNameOf(teamId, useTeams(teamId !== null).data?.teams ?? []);
  if (name === null) return null;
  return (
    <Badge className="max-w-2/5">
      <Users aria-hidden className="size-12 shrink-0" />
      <span className="truncate">{name}</span>
    </Badge>
  );
}
