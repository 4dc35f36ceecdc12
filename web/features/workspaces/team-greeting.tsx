import { HomeNews } from "#web/features/home/home-news.tsx";
import { Monogram } from "#web/ui/monogram.tsx";
import { readersWords } from "./settle.ts";
import { useOwnTeams } from "./use-own-teams.ts";

/** What stands above the composer in a team's workspace: whose it is, what is new in it, and who reads what begins here. */
export function TeamGreeting({ teamId, name }: { teamId: string; name: string }) {
  const team = useOwnTeams().find(({ id }) => id === teamId);
  return (
    <>
      <h1 className="flex items-center gap-12 font-serif text-28 text-ink">
        <Monogram name={name} size={28} className="font-sans" />
        <span className="min-w-0 truncate">{name}</span>
      </h1>
      <HomeNews byPerson after={team ? readersWords(team.memberCount) : null} />
    </>
  );
}
