import { Pencil } from "lucide-react";
import { type ReactNode, useState } from "react";
import type { Team, TeamMember } from "#shared/entities/team.ts";
import type { User } from "#shared/entities/user.ts";
import { Button } from "#web/ui/button.tsx";
import { focusAfter } from "#web/ui/focus.ts";
import { IconButton } from "#web/ui/icon-button.tsx";
import { teamDrafts } from "./team-draft.ts";
import { TeamFields } from "./team-fields.tsx";
import { createdLabel } from "./team-labels.ts";
import { useUpdateTeam } from "./use-teams.ts";

/** The title of what stands beside the list; it stays beside the dialog's Close while the rest scrolls. */
export function PaneTitle({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="flex min-h-32 shrink-0 items-start gap-4 px-20 min-[768px]:pt-18 min-[768px]:pr-56 min-[768px]:pb-4 desk:pl-24">
      <h3 id="team-name" tabIndex={-1} className="line-clamp-3 min-w-0 font-serif text-21 break-words text-ink outline-none">
        {title}
      </h3>
      {children}
    </div>
  );
}

type TeamHeadingProps = { team: Team; user: User; members: readonly TeamMember[]; wayBack: ReactNode; children: ReactNode };

/** A team's name, what it is for and who made it; its admins change the first two here. */
export function TeamHeading({ team, user, members, wayBack, children }: TeamHeadingProps) {
  const [isEditing, setEditing] = useState(false);
  const update = useUpdateTeam(team.id, team.id);
  const stop = () => focusAfter(() => setEditing(false), "#edit-team");
  return (
    <>
      {wayBack}
      <PaneTitle title={team.name}>
        {team.user_role === "admin" && !isEditing && (
          <IconButton id="edit-team" label="Edit team" icon={Pencil} size="sm" className="touch:-my-6" onClick={() => setEditing(true)} />
        )}
      </PaneTitle>
      <PaneBody>
        {isEditing ? (
          <TeamFields
            label="Edit team"
            draftKey={team.id}
            saved={{ name: team.name, description: team.description ?? "" }}
            isBusy={update.isPending}
            onSubmit={(change) => update.mutate(change, { onSuccess: stop })}
          >
            <Button type="submit" variant="primary" busy={update.isPending}>
              Save
            </Button>
            <Button
              onClick={() => {
                teamDrafts.set(team.id, null);
                stop();
              }}
            >
              Cancel
            </Button>
          </TeamFields>
        ) : (
          <p className="text-13 break-words text-ink2">
            {team.description && <span className="whitespace-pre-line">{`${team.description} `}</span>}
            {createdLabel(team, { ownId: user.id, members })}
          </p>
        )}
        {children}
      </PaneBody>
    </>
  );
}

/** What scrolls below the title. */
export function PaneBody({ children }: { children: ReactNode }) {
  return (
    <div className="min-h-0 flex-1 overflow-x-hidden overflow-y-auto">
      <div className="beneath-bar flex min-h-full flex-col px-20 pb-20 desk:px-24">{children}</div>
    </div>
  );
}
