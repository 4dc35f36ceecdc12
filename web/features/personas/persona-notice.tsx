import { Drama, X } from "lucide-react";
import { useEffect, useState } from "react";
import { useChat } from "#web/features/messages/use-chat.ts";
import { IconButton } from "#web/ui/icon-button.tsx";
import { absenceText, saidAbsences } from "./absences.ts";
import { useSelectedPersona } from "./use-selected-persona.ts";

/** Says once that the persona a chat names is none of this person's, and who answers instead. */
export function PersonaNotice({ chatId }: { chatId: string }) {
  const { absentId } = useSelectedPersona(chatId);
  return absentId === null ? null : <Absence key={absentId} chatId={chatId} personaId={absentId} />;
}

function Absence({ chatId, personaId }: { chatId: string; personaId: string }) {
  const [isShown, setIsShown] = useState(() => !saidAbsences.has(chatId, personaId));
  const { persona } = useSelectedPersona(chatId);
  const chat = useChat(chatId, true).data?.chat;
  const isShared = chat !== undefined && (chat.permissionLevel !== "owner" || chat.hasBeenShared);
  useEffect(() => saidAbsences.add(chatId, personaId), [chatId, personaId]);
  if (!isShown) return null;
  return (
    <div role="status" className="mx-12 mb-8 flex items-center gap-10 rounded-12 bg-s3 py-6 pr-6 pl-14 text-13 text-ink desk:mx-20">
      <Drama aria-hidden className="size-16 shrink-0 text-ink2" />
      <p className="min-w-0 flex-1 py-6">{absenceText({ isShared, instead: persona?.name ?? null })}</p>
      <IconButton label="Dismiss" icon={X} size="sm" tooltip={false} onClick={() => setIsShown(false)} />
    </div>
  );
}
