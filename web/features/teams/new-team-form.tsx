import type { Team } from "#shared/entities/team.ts";
import { useSession } from "#web/features/session/use-session.ts";
import { Button } from "#web/ui/button.tsx";
import { PaneBody, PaneTitle } from "./team-heading.tsx";
import { NEW_TEAM_DRAFT, newTeamKey } from "./team-draft.ts";
import { TeamFields } from "./team-fields.tsx";
import { useCreateTeam } from "./use-teams.ts";

/** Makes a team, whose admin one is then. */
export function NewTeamForm({ isAsked, onMade }: { isAsked: boolean; onMade: (team: Team) => void }) {
  const { user } = useSession();
  const key = newTeamKey(user?.id ?? "");
  const create = useCreateTeam(key);
  return (
    <>
      <PaneTitle title="New team" />
      <PaneBody>
        <p className="mb-20 max-w-480 text-13 text-ink2">
          You are its admin and invite the others. What you have stays yours until you share it with the team.
        </p>
        <TeamFields
          label="New team"
          draftKey={key}
          saved={NEW_TEAM_DRAFT}
          isBusy={create.isPending}
          isAsked={isAsked}
          onSubmit={(team) => create.mutate(team, { onSuccess: ({ team: made }) => onMade(made) })}
        >
          <Button type="submit" variant="primary" busy={create.isPending}>
            Create team
          </Button>
        </TeamFields>
      </PaneBody>
    </>
  );
}
