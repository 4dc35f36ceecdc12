import { type ReactNode, useState } from "react";
import type { Team } from "#shared/entities/team.ts";
import type { User } from "#shared/entities/user.ts";
import { OwnUsage } from "#web/features/team-usage/own-usage.tsx";
import { Button } from "#web/ui/button.tsx";
import { focusAfter } from "#web/ui/focus-after.ts";
import { lazyPart } from "#web/ui/lazy-part.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { InviteForm } from "./invite-form.tsx";
import { MemberList } from "./member-list.tsx";
import { PendingInvitations } from "./pending-invitations.tsx";
import { TeamEnding } from "./team-ending.tsx";
import { TeamHeading } from "./team-heading.tsx";
import { TeamRules } from "./team-rules.tsx";
import { useInvitations, useMembers } from "./use-teams.ts";

const TeamUsagePane = lazyPart(async () => (await import("#web/features/team-usage/team-usage-pane.tsx")).TeamUsagePane);

type TeamPaneProps = {
  team: Team;
  user: User;
  /** To the list, where that is not beside it; a pane in its place has its own way back to the team. */
  wayBack: ReactNode;
  onGone: () => void;
};

/** One team: what it is, who is in it, and for its admins what they decide. */
export function TeamPane({ team, user, wayBack, onGone }: TeamPaneProps) {
  const isAdmin = team.user_role === "admin";
  const mayLook = isAdmin || !team.members_restricted;
  const members = useMembers(team.id, mayLook);
  const invitations = useInvitations(team.id, isAdmin);
  // Together, so nothing moves as the second of them arrives.
  const isReady = members.data !== undefined && (!isAdmin || invitations.data !== undefined);
  const failure = (mayLook && members.error) || (isAdmin && invitations.error) || null;
  const [isUsage, setUsage] = useState(false);
  if (isUsage && isAdmin) return <TeamUsagePane team={team} onBack={() => focusAfter(() => setUsage(false), "#team-usage")} />;
  return (
    <TeamHeading team={team} user={user} members={members.data?.members ?? []} wayBack={wayBack}>
      <section aria-label="Usage" className="mt-8 flex flex-wrap items-center gap-x-16 gap-y-8">
        <div className="min-w-160 flex-1">
          <OwnUsage teamId={team.id} />
        </div>
        {isAdmin && (
          <Button id="team-usage" size="sm" onClick={() => setUsage(true)}>
            Usage and budgets
          </Button>
        )}
      </section>
      {isAdmin && <InviteForm teamId={team.id} />}
      {!mayLook ? (
        <p className="mt-24 rounded-8 bg-s3 px-12 py-10 text-14 text-ink2">
          Member information is restricted — Only administrators can view team members for this team
        </p>
      ) : isReady ? (
        <>
          <MemberList team={team} user={user} members={members.data?.members ?? []} />
          {isAdmin && <PendingInvitations invitations={invitations.data?.invitations ?? []} user={user} />}
        </>
      ) : failure ? (
        <div role="alert" className="mt-24 flex flex-wrap items-center gap-12 text-14 text-ink2">
          <p className="min-w-0 flex-1">Who is in the team could not be loaded. {failure.message}</p>
          <Button size="sm" onClick={() => void Promise.all([members.refetch(), isAdmin && invitations.refetch()])}>
            Try again
          </Button>
        </div>
      ) : (
        <MemberSkeletons count={Math.min(team.memberCount, 4)} />
      )}
      {isAdmin && <TeamRules team={team} />}
      <TeamEnding team={team} user={user} onGone={onGone} />
    </TeamHeading>
  );
}

function MemberSkeletons({ count }: { count: number }) {
  return (
    <div aria-busy className="mt-24">
      <h4 className="flex h-28 items-center text-13 font-medium text-ink">Members</h4>
      {Array.from({ length: count }, (_, row) => (
        <div key={row} className="flex h-52 items-center gap-12">
          <Skeleton className="size-32 rounded-full" />
          <span className="space-y-6">
            <Skeleton className="h-12 w-120" />
            <Skeleton className="h-10 w-160" />
          </span>
        </div>
      ))}
    </div>
  );
}
