import { useKeyed } from "#web/lib/keyed-store.ts";
import { presences } from "#web/features/messages/presences.ts";
import { useSession } from "#web/features/session/use-session.ts";
import { typingLine } from "./typing-words.ts";

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
