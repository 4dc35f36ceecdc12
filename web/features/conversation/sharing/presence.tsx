import { useKeyed } from "#web/lib/keyed-store.ts";
import { presences } from "#web/features/conversation/messages/presences.ts";
import { useSession } from "#web/features/people/session/use-session.ts";
import { Avatar } from "#web/ui/avatar.tsx";
import { Tooltip } from "#web/ui/toast/tooltip.tsx";
import { usePeople } from "./use-people.ts";

/** So many faces stand side by side; the rest is a number. */
const FACES = 3;

/** Who else looks at a shared chat now. */
export default function PresentPeople({ chatId }: { chatId: string }) {
  const { user } = useSession();
  const { people, count } = useKeyed(presences, chatId);
  const faces = usePeople(chatId);
  const others = people.filter(({ user_id: id }) => id !== user?.id);
  if (others.length === 0) return null;
  const isSelfIn = others.length < people.length;
  const rest = count - (isSelfIn ? 1 : 0) - Math.min(others.length, FACES);
  const names = others.map(({ display_name: name }) => name).join(", ");
  return (
    <ul aria-label="Here now" className="mr-4 flex items-center">
      {others.slice(0, FACES).map((person) => (
        <li key={person.user_id} className="-ml-6 first:ml-0">
          <Tooltip label={person.typing ? `${person.display_name} is typing` : `${person.display_name} is here`}>
            <span className="block rounded-full border-2 border-bg">
              <Avatar name={person.display_name} image={faces.find(({ id }) => id === person.user_id)?.profile_image ?? null} size={28} />
              <span className="sr-only">{person.display_name}</span>
            </span>
          </Tooltip>
        </li>
      ))}
      {rest > 0 && (
        <li className="ml-4 text-12 text-ink2 tabular-nums" title={names}>
          +{rest}
        </li>
      )}
    </ul>
  );
}
