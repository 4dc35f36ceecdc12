import { LazyInboxSummary } from "#web/features/conversation/home/lazy-inbox-summary.tsx";
import { Monogram } from "#web/ui/monogram.tsx";
import { readersNote } from "#web/features/conversation/workspaces/settle-choice.ts";
import { useOwnTeams } from "#web/features/conversation/workspaces/use-own-teams.ts";
import type { WorkspaceChoice } from "#web/features/people/workspaces/workspace-store.ts";

/** What stands above the composer in a team's workspace: whose it is, what is new in it, and who reads what begins here. */
export function TeamGreeting({ workspace: { id, name, isClosed } }: { workspace: WorkspaceChoice }) {
  const team = useOwnTeams().find((own) => own.id === id);
  return (
    <>
      <h1 className="flex items-center gap-12 font-serif text-28 text-ink">
        <Monogram name={name} size={28} className="font-sans" />
        <span className="min-w-0 truncate">{name}</span>
      </h1>
      <LazyInboxSummary byPerson after={team ? readersNote(team.memberCount, isClosed) : null} />
    </>
  );
}
