import { useSession } from "#web/features/people/session/use-session.ts";
import { useMembers } from "#web/features/people/teams/use-teams.ts";
import { counted } from "#web/lib/format.ts";
import { Avatar } from "#web/ui/avatar.tsx";
import { useOwnTeams } from "./use-own-teams.ts";

/** So many faces stand side by side. */
const FACES = 3;

/** Who is in the team whose workspace is shown, as far as one may know it. */
export default function TeamFaces({ teamId }: { teamId: string }) {
  const { user } = useSession();
  const team = useOwnTeams().find(({ id }) => id === teamId);
  const mayLook = team !== undefined && (team.user_role === "admin" || !team.members_restricted);
  const { data } = useMembers(teamId, mayLook);
  if (!team) return null;
  const others = mayLook ? (data?.members.filter(({ user_id: id }) => id !== user?.id) ?? []) : [];
  return (
    <p className="mr-8 flex items-center gap-12 text-13 text-ink2">
      <span aria-hidden className="flex">
        {others.slice(0, FACES).map(({ id, users: { display_name: name, profile_image: image } }) => (
          <span key={id} title={name} className="-ml-6 block rounded-full border-2 border-bg first:ml-0">
            <Avatar name={name} image={image} />
          </span>
        ))}
      </span>
      {counted(team.memberCount, "member")}
    </p>
  );
}
