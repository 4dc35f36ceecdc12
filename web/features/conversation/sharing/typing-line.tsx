import { useKeyed } from "#web/lib/keyed-store.ts";
import { presences } from "#web/features/conversation/messages/presences.ts";
import { useSession } from "#web/features/people/session/use-session.ts";
import type { PresentPerson } from "#shared/live-events.ts";

/** Says above the composer who else is writing; its room is kept while nobody is. */
export default function TypingLine({ chatId }: { chatId: string }) {
  const { user } = useSession();
  const { people } = useKeyed(presences, chatId);
  return (
    <div data-print="hide" className="mx-auto w-full max-w-792 shrink-0 px-8 desk:px-16">
      <p className="h-20 truncate px-18 text-12 text-ink3">{typingLine(people, user?.id ?? null)}</p>
    </div>
  );
}

/** What is said of those who write: 'Ines is typing…', 'Ines and Jonas are typing…', '3 people are typing…'; empty for nobody. */
export function typingLine(people: readonly PresentPerson[], ownId: string | null): string {
  const names = people.filter(({ typing, user_id: id }) => typing && id !== ownId).map(({ display_name: name }) => name);
  if (names.length === 0) return "";
  if (names.length > 2) return `${names.length} people are typing…`;
  return `${names.join(" and ")} ${names.length === 1 ? "is" : "are"} typing…`;
}
