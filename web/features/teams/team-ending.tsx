import type { Team } from "#shared/entities/team.ts";
import type { User } from "#shared/entities/user.ts";
import { counted } from "#web/lib/format.ts";
import { Button } from "#web/ui/button.tsx";
import { useDeleteTeam, useLeaveTeam } from "./use-teams.ts";

type TeamEndingProps = { team: Team; user: User; onGone: () => void };

/** The end of a team for its creator, and of being in it for everybody else. */
export function TeamEnding({ team, user, onGone }: TeamEndingProps) {
  return (
    <div className="mt-auto shrink-0">
      <section aria-labelledby="team-ending" className="mt-16 flex flex-wrap items-center gap-x-16 gap-y-8 border-t border-line pt-16">
        {team.created_by === user.id ? <Deleting team={team} onGone={onGone} /> : <Leaving team={team} userId={user.id} onGone={onGone} />}
      </section>
    </div>
  );
}

const dangerClass = "bg-danger-soft! text-danger! hover:bg-[color-mix(in_oklab,var(--color-danger-soft),var(--color-danger)_10%)]!";

function Deleting({ team, onGone }: { team: Team; onGone: () => void }) {
  const remove = useDeleteTeam(team.id);
  const shares = team.memberCount === 1 ? "its only member" : `all ${counted(team.memberCount, "member")}`;
  const onDelete = () => {
    if (!window.confirm(`Delete ${team.name}? Its shares end for ${shares}, and this cannot be undone.`)) return;
    remove.mutate(undefined, { onSuccess: onGone });
  };
  return (
    <>
      <Words title="Danger Zone">{`Deleting the team removes its shares for ${shares}.`}</Words>
      <Button className={dangerClass} busy={remove.isPending} onClick={onDelete}>
        Delete team
      </Button>
    </>
  );
}

function Leaving({ team, userId, onGone }: { team: Team; userId: string; onGone: () => void }) {
  const leave = useLeaveTeam(team, userId);
  const onLeave = () => {
    if (!window.confirm(`Leave ${team.name}? Only an admin can invite you again.`)) return;
    leave.mutate(undefined, { onSuccess: onGone });
  };
  return (
    <>
      <Words title="Leave team">What the team shares is out of your reach then; what you own stays yours.</Words>
      <Button busy={leave.isPending} onClick={onLeave}>
        Leave team
      </Button>
    </>
  );
}

function Words({ title, children }: { title: string; children: string }) {
  return (
    <div className="min-w-160 flex-1">
      <h4 id="team-ending" className="text-13 font-medium text-ink">
        {title}
      </h4>
      <p className="mt-2 text-13 text-ink2">{children}</p>
    </div>
  );
}
