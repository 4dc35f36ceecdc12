import { useCallback, useEffect } from "react";
import type { Message } from "#shared/entities/message.ts";
import { DEEP_RESEARCH_MODEL_ID } from "#shared/models/model-ids.ts";
import { AttachButton, DropOverlay, useAttaching } from "#web/features/conversation/attachments/attaching.tsx";
import type { DraftExtrasProps } from "#web/features/conversation/attachments/draft-extras.tsx";
import { unpickNewModel } from "#web/features/conversation/chat-settings/picked-settings.ts";
import { useChatSettings } from "#web/features/conversation/chat-settings/use-chat-settings.ts";
import { Composer } from "#web/features/conversation/composer/composer.tsx";
import { clearDraftFiles, readDraftFiles, readyAttachments } from "#web/features/conversation/composer/draft-files.ts";
import { NEW_CHAT, clearDraft, readDraft } from "#web/features/conversation/composer/drafts.ts";
import { ModelSelector } from "#web/features/conversation/models/model-selector.tsx";
import { useSelectedModel } from "#web/features/conversation/models/use-selected-model.ts";
import { promptUses } from "#web/features/conversation/composer/prompt-use-store.ts";
import { useSession } from "#web/features/people/session/use-session.ts";
import { useSidebarState } from "#web/features/conversation/list-state/sidebar-state.ts";
import { lazyPart } from "#web/ui/lazy-part.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { WhenIdle } from "#web/ui/when-idle.tsx";
import { editing } from "#web/features/conversation/sending/editing.ts";
import { loadAfterFirstText } from "#web/lib/first-text.ts";
import { useKeyed } from "#web/lib/keyed-store.ts";
import type { ComposerPickersProps } from "./composer-pickers.tsx";
import { PICKER_COMMANDS } from "#web/features/conversation/prompt-use/picker-commands.ts";
import { stop } from "#web/features/conversation/sending/send-message.ts";
import { refusals } from "#web/features/conversation/sending/use-send-message.ts";
import { useSubmit } from "#web/features/conversation/queue/use-submit.ts";
import { RecordNotice } from "#web/features/conversation/chat-settings/record-notice.tsx";

const ComposerPickers = lazyPart<ComposerPickersProps>(
  async () => (await import("./composer-pickers.tsx")).ComposerPickers,
  ({ space }) => space,
);

const KnowledgeChips = lazyPart(async () => (await import("#web/features/conversation/knowledge-use/knowledge-chips.tsx")).KnowledgeChips);

const PersonaNotice = lazyPart(() =>
  loadAfterFirstText(async () => (await import("#web/features/conversation/persona-use/persona-notice.tsx")).PersonaNotice),
);

const VoiceStrip = lazyPart(async () => (await import("#web/features/conversation/voice/voice-strip.tsx")).VoiceStrip);
const PromptDock = lazyPart(async () => (await import("#web/features/conversation/prompt-use/prompt-dock.tsx")).PromptDock);
const QueueDock = lazyPart(async () => (await import("#web/features/conversation/queue/queue-dock.tsx")).QueueDock);

const BudgetNotice = lazyPart(() =>
  loadAfterFirstText(async () => (await import("#web/features/conversation/team-usage/budget-notice.tsx")).BudgetNotice),
);

const ContextGauge = lazyPart(async () => (await import("#web/features/conversation/context-gauge/context-gauge.tsx")).ContextGauge);

const DraftExtras = lazyPart<DraftExtrasProps>(
  async () => (await import("#web/features/conversation/attachments/draft-extras.tsx")).DraftExtras,
  ExtrasSpace,
);
const ResearchNotice = lazyPart(
  async () => (await import("#web/features/conversation/research/research-notice.tsx")).ResearchNotice,
  NoticeSpace,
);
const BeginNotice = lazyPart<{ id: string }>(
  async () => (await import("#web/features/conversation/folders/begin-notice.tsx")).default,
  NoticeSpace,
);
const RefusalNotice = lazyPart(async () => (await import("#web/features/conversation/sending/refusal-notice.tsx")).RefusalNotice);

type ComposerDockProps = { chatId: string | null; path: readonly Message[]; isBusy: boolean };

/** The composer of a chat, or of the one to come, with the model its next message goes to. */
export function ComposerDock({ chatId, path, isBusy }: ComposerDockProps) {
  const { modelId, name, model } = useSelectedModel(chatId);
  const { isGuest } = useSession();
  const { context_ids, off_record: isOffRecord } = useChatSettings(chatId);
  const folderId = useSidebarState().scope?.folder;
  useEffect(() => (chatId === null ? leaveNewChat : undefined), [chatId]);
  const submit = useSubmit({ chatId, modelId, isBusy });
  const draftKey = chatId ?? NEW_CHAT;
  const isAsking = useKeyed(promptUses, draftKey).kind === "form";
  const refusal = useKeyed(refusals, draftKey);
  const refuse = useCallback(
    () => refusals.set(draftKey, { code: "SIGN_IN_REQUIRED", message: "Sign in required to attach files.", modelId }),
    [draftKey, modelId],
  );
  const attaching = useAttaching(draftKey, isGuest ? refuse : null);
  const { draft, files, paste, setPaste } = attaching;
  // Guests have no uploads to be offered, and who is here may not be known as it is pasted.
  const offeredPaste = isGuest ? null : paste;
  const blindModel = attaching.hasPictures && model?.vision === false ? name : null;
  const takeFiles = () => {
    if (files === "ready") return { chatId: draft.chatId, files: readyAttachments(draft) };
    // What was refused is let go with the message that goes without it.
    if (files === "none" && draft.files.length > 0) clearDraftFiles(draftKey);
    return null;
  };
  const sendOrSwitch = (text: string) => {
    const command = PICKER_COMMANDS.find((known) => known.command === text.trim());
    if (command) {
      clearDraft(draftKey);
      return command.run();
    }
    setPaste(null);
    return submit({ text, carried: takeFiles() });
  };
  const editLast = () => {
    const last = path.findLast((message) => message.role === "user");
    if (last && chatId !== null && !isBusy) editing.set(chatId, last);
  };
  return (
    <div
      data-print="hide"
      className="relative mx-auto w-full max-w-792 shrink-0 px-8 pb-[calc(8px+var(--safe-bottom))] desk:px-16 desk:pb-16"
    >
      {refusal !== null && <RefusalNotice refusal={refusal} onDismiss={() => refusals.set(draftKey, null)} />}
      <WhenIdle>
        {chatId !== null && <PersonaNotice key={`persona:${chatId}`} chatId={chatId} />}
        <BudgetNotice chatId={chatId} />
        <PromptDock
          key={draftKey}
          chatId={chatId}
          path={path}
          canSend={files !== "waiting" && blindModel === null}
          onSend={(message) => submit({ ...message, carried: takeFiles() })}
        />
        <QueueDock chatId={chatId} />
        <VoiceStrip draftKey={draftKey} />
      </WhenIdle>
      {/* The form of a prompt takes its place. */}
      <div className={isAsking ? (chatId === null ? "desk:hidden" : "desk:invisible") : undefined}>
        <Composer
          draftKey={draftKey}
          isRoomy={chatId === null}
          isStreaming={isBusy}
          files={blindModel === null ? files : "waiting"}
          onFiles={attaching.add}
          onLongPaste={setPaste}
          onSend={sendOrSwitch}
          onStop={() => chatId !== null && stop(chatId)}
          onEditLast={editLast}
          above={
            <>
              {modelId === DEEP_RESEARCH_MODEL_ID && <ResearchNotice />}
              {chatId === null && isOffRecord && <RecordNotice />}
              {chatId === null && folderId !== undefined && <BeginNotice id={folderId} />}
              {context_ids !== undefined && context_ids.length > 0 && <KnowledgeChips chatId={chatId} />}
              {(draft.files.length > 0 || offeredPaste !== null) && (
                <DraftExtras draftKey={draftKey} blindModel={blindModel} paste={offeredPaste} onPasteDone={() => setPaste(null)} />
              )}
            </>
          }
        >
          <AttachButton
            onOpen={() => {
              if (isGuest) refuse();
              return !isGuest;
            }}
            onFiles={attaching.add}
          />
          <ModelSelector chatId={chatId} />
          <WhenIdle before={<PickersSpace />}>
            <ComposerPickers
              chatId={chatId}
              draftKey={draftKey}
              modelId={modelId}
              onSignIn={() => refusals.set(draftKey, { code: "SIGN_IN_REQUIRED", message: "Sign in required to record.", modelId })}
              space={<PickersSpace />}
            />
            {model && path.length > 0 && (
              <WhenIdle>
                <ContextGauge path={path} model={model} name={name} />
              </WhenIdle>
            )}
          </WhenIdle>
        </Composer>
      </div>
      {attaching.isOver && <DropOverlay />}
    </div>
  );
}

/** Left with nothing written, the chat to come is another one the next time, which starts as new chats do. */
function leaveNewChat(): void {
  if (readDraft(NEW_CHAT).trim() === "" && readDraftFiles(NEW_CHAT).files.length === 0) unpickNewModel();
}

/** Holds the room of a notice above the text while its code comes. */
function NoticeSpace() {
  return <div className="mb-10 min-h-36" />;
}

/** Holds the room of one row of files while their code comes. */
function ExtrasSpace() {
  return <div className="mb-10 h-48 touch:h-56" />;
}

/** Bars where the pickers will be, and one in the microphone's place. */
function PickersSpace() {
  return (
    <span aria-hidden data-pickers="space" className="flex flex-1 items-center gap-20 pr-8 pl-8">
      <Skeleton className="h-10 w-88 max-[520px]:w-20" />
      <Skeleton className="h-10 w-72 max-[520px]:w-20" />
      <Skeleton className="ml-auto h-10 w-16" />
    </span>
  );
}
