import { ChevronLeft, ChevronRight, Plus } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { SignInLink } from "#web/features/people/session/sign-in-link.tsx";
import { UnknownVisitor } from "#web/features/people/session/unknown-visitor.tsx";
import { useSession } from "#web/features/people/session/use-session.ts";
import { useSettings } from "#web/features/people/settings/use-settings.ts";
import { focusAfter, focusOnMount } from "#web/ui/focus.ts";
import { Button } from "#web/ui/button.tsx";
import { cx } from "#web/ui/cx.ts";
import { toast } from "#web/ui/toast/toast.tsx";
import { useIsStepwise } from "#web/ui/use-is-mobile.ts";
import { TeamPane, type TeamUsage } from "./team-pane.tsx";
import { useTeams } from "./own-teams.ts";
import { APP_NAME } from "#shared/app.ts";
import { describeRequiredPlans } from "#shared/plan-descriptions.ts";
import { WaitingPlan } from "#web/features/people/invites/waiting-plan.tsx";
import { InviteCodeForm } from "#web/features/people/invites/invite-code-form.tsx";
import type { Team } from "#shared/entities/team.ts";
import { PaneBody, PaneTitle } from "./team-heading.tsx";
import { NEW_TEAM_DRAFT, newTeamKey } from "./team-draft.ts";
import { TeamFields } from "./team-fields.tsx";
import { useCreateTeam } from "./use-teams.ts";
import { TabHeading } from "#web/ui/tabs.tsx";
import { Monogram } from "#web/ui/monogram.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { sizeLabel } from "./team-labels.ts";
import { TryAgain } from "#web/ui/try-again.tsx";

/** Stands for the form of a team that is yet to be made. */
const NEW_TEAM = "new";

type TeamListProps = {
  /** Null until they are known. */
  teams: readonly Team[] | null;
  chosen: string | null;
  mayMake: boolean;
  /** The person has no team plan: one may wait for approval. */
  isPlanless: boolean;
  /** The whole width is the list's; a row leads on. */
  isStepwise: boolean;
  onChoose: (id: string) => void;
};

const rowClass = "flex w-full items-center gap-12 rounded-8 px-8 text-left transition-colors duration-120";

/** One's teams, and the way to a new one. */
function TeamList({ teams, chosen, mayMake, isPlanless, isStepwise, onChoose }: TeamListProps) {
  return (
    <nav
      id="teams"
      aria-label="Teams"
      aria-busy={teams === null}
      className={cx(
        "min-h-0 shrink-0 overflow-y-auto py-12",
        isStepwise ? "w-full px-10" : "w-248 border-r border-line px-8 max-[960px]:w-192",
      )}
    >
      {isStepwise && (
        <div className="px-8 pt-4 pb-12 max-[768px]:hidden">
          <TabHeading title="Teams">Share chats, personas and prompts with the people you work with.</TabHeading>
        </div>
      )}
      {teams?.length === 0 && <p className="px-10 py-8 text-13 text-ink2">You are not in a team yet.</p>}
      <ul className="space-y-2">
        {teams === null && SKELETONS.map((width) => <SkeletonRow key={width} width={width} />)}
        {teams?.map((team) => (
          <li key={team.id}>
            <button
              type="button"
              data-team={team.id}
              aria-current={team.id === chosen ? "page" : undefined}
              onClick={() => onChoose(team.id)}
              className={cx(rowClass, "min-h-52 py-6", team.id === chosen ? "bg-s4" : "hover:bg-s3")}
            >
              <Monogram name={team.name} size={28} />
              <span className="min-w-0 flex-1">
                <span className="block truncate text-14 font-medium text-ink">{team.name}</span>
                <span className="block text-12 text-ink2">{sizeLabel(team)}</span>
              </span>
              {isStepwise && <ChevronRight aria-hidden className="size-16 shrink-0 text-ink2" />}
            </button>
          </li>
        ))}
        {teams && mayMake && (
          <li>
            <button
              type="button"
              data-team={NEW_TEAM}
              aria-current={chosen === NEW_TEAM ? "page" : undefined}
              onClick={() => onChoose(NEW_TEAM)}
              className={cx(
                rowClass,
                "h-44 text-14 font-medium text-ink2 hover:text-ink",
                chosen === NEW_TEAM ? "bg-s4 text-ink" : "hover:bg-s3",
              )}
            >
              <span className="inline-flex size-28 shrink-0 items-center justify-center">
                <Plus aria-hidden className="size-16" />
              </span>
              New team
            </button>
          </li>
        )}
      </ul>
      {isPlanless && <WaitingPlan className="mx-2 mt-12" />}
    </nav>
  );
}

const SKELETONS = ["w-108", "w-120"] as const;

function SkeletonRow({ width }: { width: string }) {
  return (
    <li className="flex h-52 items-center gap-12 px-8">
      <Skeleton className="size-28 shrink-0 rounded-8" />
      <span className="min-w-0 space-y-6">
        <Skeleton className={`h-12 max-w-full ${width}`} />
        <Skeleton className="h-10 w-80 max-w-full" />
      </span>
    </li>
  );
}

const noteClass = "px-20 py-20 text-14 text-ink2 min-[768px]:pr-56 desk:pl-24";

/** The teams one is in, and the chosen one beside them; in narrow windows one after the other. */
export function TeamsTab({ usage }: { usage: TeamUsage }) {
  const { status, user, features, isUnknown } = useSession();
  const isUser = status === "user";
  const settings = useSettings();
  const { data, isError, error, refetch, isFetching } = useTeams(isUser);
  const isStepwise = useIsStepwise();
  const [chosen, setChosen] = useState<string | null>(() => (settings.place === "new-team" ? NEW_TEAM : null));
  const isBehind = isError && data !== undefined;
  useEffect(() => {
    if (isBehind) toast({ title: "Failed to fetch teams", description: error?.message, tone: "danger" });
  }, [isBehind, error]);
  const teams = data?.teams ?? null;
  const fallback = isStepwise ? null : (teams?.[0]?.id ?? (teams && NEW_TEAM));
  useReturn(isStepwise && settings.place === "teams", chosen);

  if (isUnknown) return <UnknownVisitor className={noteClass} />;
  if (!isUser || !user) {
    return (
      <div className={noteClass}>
        <p className="mb-12">Please log in to manage teams.</p>
        <SignInLink onFollow={() => undefined} />
      </div>
    );
  }
  if (!data && isError) {
    return (
      <div role="alert" className={cx(noteClass, "flex flex-wrap items-center gap-12")}>
        <div className="min-w-0">
          <p>Failed to fetch teams</p>
          <p className="text-13">{error.message}</p>
        </div>
        <TryAgain busy={isFetching} onClick={() => void refetch()} />
      </div>
    );
  }
  const mayMake = user.team_plan || features?.teamsForAll === true;
  if (teams?.length === 0 && !mayMake) return <RequestTeams operator={features?.operatorEmail ?? null} />;

  const isThere = chosen === NEW_TEAM ? mayMake : teams?.some(({ id }) => id === chosen);
  const shown = isStepwise && settings.place === "teams" ? null : isThere ? chosen : fallback;
  const team = teams?.find(({ id }) => id === shown) ?? null;
  const choose = (id: string) => {
    setChosen(id);
    if (isStepwise) settings.enter("team");
  };
  const onTeamRemoved = () => {
    if (isStepwise) settings.back("teams");
    else focusAfter(() => setChosen(null), "#teams [data-team]");
  };
  const wayBack = isStepwise && (
    <Button
      ref={chosen === NEW_TEAM ? undefined : focusOnMount}
      variant="quiet"
      className="mt-8 mb-4 ml-6 shrink-0 self-start desk:ml-10"
      onClick={(event) => {
        // Else the drawer takes the focus of what goes, after the list's row has taken it.
        event.currentTarget.blur();
        settings.back("teams");
      }}
    >
      <ChevronLeft aria-hidden className="size-16" />
      All teams
    </Button>
  );
  return (
    <div className="flex min-h-0 flex-1">
      {(!isStepwise || shown === null) && (
        <TeamList teams={teams} chosen={shown} mayMake={mayMake} isPlanless={!user.team_plan} isStepwise={isStepwise} onChoose={choose} />
      )}
      {shown !== null && (
        <div className="@container flex min-h-0 min-w-0 flex-1 flex-col">
          {team ? (
            <TeamPane key={team.id} team={team} user={user} wayBack={wayBack} onTeamRemoved={onTeamRemoved} usage={usage} />
          ) : (
            <>
              {wayBack}
              <NewTeamForm isAsked={chosen === NEW_TEAM} onMade={({ id }) => focusAfter(() => setChosen(id), "#team-name")} />
            </>
          )}
        </div>
      )}
    </div>
  );
}

/** Back on the list, the focus is where one left it. */
function useReturn(isList: boolean, chosen: string | null): void {
  const wasElsewhere = useRef(false);
  useEffect(() => {
    if (isList && wasElsewhere.current) document.querySelector<HTMLElement>(`[data-team="${chosen}"]`)?.focus();
    wasElsewhere.current = !isList;
  }, [isList, chosen]);
}

/** For people without the team plan who are in no team. */
function RequestTeams({ operator }: { operator: string | null }) {
  const subject = encodeURIComponent(`Teams on ${APP_NAME}`);
  return (
    <div className="max-w-480 px-20 py-20 min-[768px]:pr-56 desk:pl-24">
      <WaitingPlan className="mb-16" />
      <h3 className="text-18 font-medium text-ink">Teams need the team plan</h3>
      <p className="mt-4 text-14 text-ink2">
        {describeRequiredPlans("teams")} In a team, people share chats, personas and prompts with each other.{" "}
        {operator === null ? "Ask whoever runs this deployment for access." : "Ask for access and we will get in touch."} If somebody
        invited you to their team, open the link in their mail.
      </p>
      <InviteCodeForm />
      {operator !== null && (
        <a
          href={`mailto:${operator}?subject=${subject}`}
          className="mt-16 inline-flex h-36 items-center rounded-8 bg-accent px-14 text-13 font-medium text-accent-ink hover:bg-accent-hover touch:h-44 touch:text-14"
        >
          Request access
        </a>
      )}
    </div>
  );
}

/** Makes a team, whose admin one is then. */
function NewTeamForm({ isAsked, onMade }: { isAsked: boolean; onMade: (team: Team) => void }) {
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
