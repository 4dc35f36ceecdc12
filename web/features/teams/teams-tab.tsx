import { ChevronLeft } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { SignInLink } from "#web/features/session/sign-in-link.tsx";
import { UnknownVisitor } from "#web/features/session/unknown-visitor.tsx";
import { useSession } from "#web/features/session/use-session.ts";
import { useSettings } from "#web/features/settings/use-settings.ts";
import { focusAfter } from "#web/ui/focus-after.ts";
import { focusOnMount } from "#web/ui/focus-on-mount.ts";
import { Button } from "#web/ui/button.tsx";
import { cx } from "#web/ui/cx.ts";
import { toast } from "#web/ui/toast/toast.tsx";
import { useIsStepwise } from "#web/ui/use-is-mobile.ts";
import { NewTeamForm } from "./new-team-form.tsx";
import { NEW_TEAM, TeamList } from "./team-list.tsx";
import { TeamPane } from "./team-pane.tsx";
import { RequestTeams } from "./request-teams.tsx";
import { useTeams } from "./own-teams.ts";

const noteClass = "px-20 py-20 text-14 text-ink2 min-[768px]:pr-56 desk:pl-24";

/** The teams one is in, and the chosen one beside them; in narrow windows one after the other. */
export function TeamsTab() {
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
        <Button size="sm" busy={isFetching} onClick={() => void refetch()}>
          Try again
        </Button>
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
  const onGone = () => {
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
            <TeamPane key={team.id} team={team} user={user} wayBack={wayBack} onGone={onGone} />
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
