import * as z from "zod/mini";
import { Drama, X } from "lucide-react";
import { useEffect, useState } from "react";
import { pathOf } from "#web/features/conversation/messages/message-pages.ts";
import { useMessages } from "#web/features/conversation/messages/use-messages.ts";
import { useChat } from "#web/features/conversation/messages/use-chat.ts";
import { IconButton } from "#web/ui/icon-button.tsx";
import { useSelectedPersona } from "./use-selected-persona.ts";
import { stored } from "#web/lib/storage.ts";

/** Says once that the persona a chat names is none of this person's, and who answers instead. */
export function PersonaNotice({ chatId }: { chatId: string }) {
  const { absentId } = useSelectedPersona(chatId);
  return absentId === null ? null : <Absence key={absentId} chatId={chatId} personaId={absentId} />;
}

function Absence({ chatId, personaId }: { chatId: string; personaId: string }) {
  const [isShown, setIsShown] = useState(() => !shownAbsences.has(chatId, personaId));
  const { persona } = useSelectedPersona(chatId);
  const chat = useChat(chatId, true).data?.chat;
  const isShared = chat !== undefined && (chat.permissionLevel !== "owner" || chat.hasBeenShared);
  const hasSpoken = pathOf(useMessages(chatId, false).data).some((message) => Boolean(message.persona));
  // The personalized one goes by its person's id; where its owner wrote nothing in it, there is nothing to be without.
  const isNone = chat === undefined || (personaId === chat.user_id && !hasSpoken);
  useEffect(() => {
    if (!isNone) shownAbsences.add(chatId, personaId);
  }, [isNone, chatId, personaId]);
  if (!isShown || isNone) return null;
  return (
    <div role="status" className="mx-12 mb-8 flex items-center gap-10 rounded-12 bg-s3 py-6 pr-6 pl-14 text-13 text-ink desk:mx-20">
      <Drama aria-hidden className="size-16 shrink-0 text-ink2" />
      <p className="min-w-0 flex-1 py-6">{absenceText({ isShared, instead: persona?.name ?? null })}</p>
      <IconButton label="Dismiss" icon={X} size="sm" tooltip={false} onClick={() => setIsShown(false)} />
    </div>
  );
}

/** So many are remembered, the latest ones. */
const REMEMBERED_NOTICES_MAX = 100;

const storedNotices = stored<string[]>("absent-personas", z.array(z.string()), []);

/** Which chats were said to name a persona that is gone or another's, and which one: each once in a browser. */
const shownAbsences = {
  has: (chatId: string, personaId: string): boolean => storedNotices.read().includes(`${chatId} ${personaId}`),
  add(chatId: string, personaId: string): void {
    if (!shownAbsences.has(chatId, personaId))
      storedNotices.write([...storedNotices.read(), `${chatId} ${personaId}`].slice(-REMEMBERED_NOTICES_MAX));
  },
};

/** What is said: where others write too the persona may be theirs, in a chat of one's own it was deleted. */
export function absenceText({ isShared, instead }: { isShared: boolean; instead: string | null }): string {
  const what = isShared ? "This chat's persona is not yours to use, or gone." : "This chat's persona is gone.";
  return `${what} Your messages are answered ${instead === null ? "without one" : `as ${instead}`}.`;
}
