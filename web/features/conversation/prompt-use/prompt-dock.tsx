import { useEffect, useEffectEvent, useState } from "react";
import { X } from "lucide-react";
import type { Message } from "#shared/entities/message.ts";
import type { Submitted } from "#web/features/conversation/queue/use-submit.ts";
import { NEW_CHAT, clearDraft, readDraft, writeDraft } from "#web/features/conversation/composer/drafts.ts";
import { useSession } from "#web/features/people/session/use-session.ts";
import { useKeyed } from "#web/lib/keyed-store.ts";
import { useEver } from "#web/lib/use-ever.ts";
import { lazyPart } from "#web/ui/lazy-part.tsx";
import { preloadAtFirstSign } from "#web/ui/preload.ts";
import { useIsMobile } from "#web/ui/use-is-mobile.ts";
import type { PromptItem } from "./prompt-item.ts";
import { type Place, choosePrompt, endPromptUse, promptUses } from "#web/features/conversation/composer/prompt-use-store.ts";
import { onceSettings } from "#web/features/conversation/chat-settings/once-settings.ts";
import { useKnowledge } from "#web/features/library/knowledge/use-knowledge.ts";
import { useModelName } from "#web/features/conversation/models/use-models.ts";
import { usePersonas } from "#web/features/library/personas/use-personas.ts";
import { counted } from "#web/lib/format.ts";
import { IconButton } from "#web/ui/icon-button.tsx";
import { useSlash } from "./use-slash.ts";

const PromptPicker = lazyPart(async () => (await import("./prompt-picker.tsx")).default);
const PromptForm = lazyPart(async () => (await import("./prompt-form.tsx")).default);

type PromptDockProps = {
  chatId: string | null;
  path: readonly Message[];
  /** False while files are on their way to the composer: they go with what is sent next. */
  canSend: boolean;
  onSend: (message: Pick<Submitted, "text" | "next" | "wanted">) => void;
};

/** What a composer does with prompts: the list behind `/`, the form of one that asks for something, and what holds for the next message alone. */
export function PromptDock({ chatId, path, canSend, onSend }: PromptDockProps) {
  const draftKey = chatId ?? NEW_CHAT;
  const { user, isGuest } = useSession();
  const use = useKeyed(promptUses, draftKey);
  const [mark, setMark] = useState<HTMLElement | null>(null);
  const frame = mark?.parentElement?.querySelector<HTMLElement>("[data-composer]") ?? null;
  const field = frame?.querySelector("textarea") ?? null;
  const { slash, dismiss } = useSlash(field);
  const isMobile = useIsMobile();
  useEffect(() => preloadAtFirstSign([PromptPicker]), []);
  const begin = useEffectEvent((chosen: Extract<typeof use, { kind: "chosen" }>) => {
    void import("./begin-use.ts").then(
      ({ beginUse }) => beginUse({ ...chosen, draftKey, chatId, path, user }),
      () => endPromptUse(draftKey),
    );
  });
  useEffect(() => {
    if (use.kind === "chosen") begin(use);
  }, [use]);

  const isAsked = slash !== null && use.kind === "none";
  const isOpen = isAsked || use.kind === "list";
  const isUsed = useEver(isOpen);
  const close = () => (isAsked ? dismiss() : endPromptUse(draftKey));
  const take = (item: PromptItem) => {
    // What asked for it is no text of the message, whatever becomes of what was chosen.
    const place = isAsked && slash ? removeSlash(draftKey, slash) : null;
    close();
    if (item.kind === "prompt") return choosePrompt(draftKey, item.id, { place });
    return item.run();
  };
  return (
    <>
      {chatId !== null && <OnceNotice chatId={chatId} />}
      <span ref={setMark} hidden />
      {isUsed && frame && field && (
        <PromptPicker
          open={isOpen}
          anchor={frame}
          isAccount={!isGuest}
          steer={isAsked && slash && !isMobile ? { field, query: slash.query } : undefined}
          onPick={take}
          onClose={close}
        />
      )}
      {use.kind === "form" && (
        <PromptForm
          key={use.prompt.id}
          at={{ draftKey, chatId, path, user }}
          prompt={use.prompt}
          use={use}
          canSend={canSend}
          onSend={onSend}
        />
      )}
    </>
  );
}

/** Takes the slash out of a draft, and answers where it stood. */
function removeSlash(draftKey: string, { from, to }: Place): Place {
  const draft = readDraft(draftKey);
  const rest = draft.slice(0, from) + draft.slice(to);
  if (rest.trim() === "") clearDraft(draftKey);
  else writeDraft(draftKey, rest);
  return rest.trim() === "" ? { from: 0, to: 0 } : { from, to: from };
}

const NONE: readonly string[] = [];

/** Says what a prompt set for a chat's next message alone, and takes it back. */
function OnceNotice({ chatId }: { chatId: string }) {
  const once = useKeyed(onceSettings, chatId);
  const modelName = useModelName(once?.model_id ?? null);
  const { personas } = usePersonas();
  const contexts = once?.context_ids ?? NONE;
  const { entries } = useKnowledge(contexts.length > 0);
  if (once === null) return null;
  const persona = personas.find(({ id }) => id === once.persona_id);
  const context = entries.find(({ id }) => contexts.includes(id));
  const parts = [
    once.model_id && modelName,
    persona?.name,
    once.tool_categories && counted(once.tool_categories.length, "tool"),
    contexts.length === 1 && context?.name,
    contexts.length > 1 && `${contexts.length} knowledge entries`,
  ];
  return (
    <div className="mx-12 mb-8 flex min-h-36 items-center gap-8 rounded-12 bg-s3 py-2 pr-4 pl-14 text-13 text-ink2 touch:min-h-44 desk:mx-20">
      <p role="status" className="min-w-0 flex-1">
        {`For the next message alone: ${parts.filter(Boolean).join(", ")}`}
      </p>
      <IconButton label="Send as the chat is set" icon={X} size="sm" onClick={() => onceSettings.set(chatId, null)} />
    </div>
  );
}
