import { useCallback } from "react";
import { useNavigate } from "react-router";
import type { Message } from "#shared/entities/message.ts";
import { AUTOPILOT_MODEL_ID, DEEP_RESEARCH_MODEL_ID } from "#shared/entities/model.ts";
import { AttachButton } from "#web/features/attachments/attach-button.tsx";
import type { DraftExtrasProps } from "#web/features/attachments/draft-extras.tsx";
import { useAttaching } from "#web/features/attachments/use-attaching.ts";
import { Composer } from "#web/features/composer/composer.tsx";
import { clearDraftFiles, readyAttachments, restoreDraftFiles } from "#web/features/composer/draft-files.ts";
import { NEW_CHAT, clearDraft, writeDraft } from "#web/features/composer/drafts.ts";
import { ModelSelector } from "#web/features/models/model-selector.tsx";
import { openPersonaPicker } from "#web/features/personas/picker-store.ts";
import { openModelSelector } from "#web/features/models/selector-store.ts";
import { useSelectedModel } from "#web/features/models/use-selected-model.ts";
import { isQueueMoving, mayBeChain, sentAsOne } from "#web/features/queue/queue-route.ts";
import { useSession } from "#web/features/session/use-session.ts";
import { late } from "#web/ui/late.ts";
import { lazyPart } from "#web/ui/lazy-part.tsx";
import { WhenIdle } from "#web/ui/when-idle.tsx";
import { editing } from "./editing.ts";
import { useKeyed } from "#web/lib/keyed-store.ts";
import { stop } from "./send-message.ts";
import { refusals, useSendMessage } from "./use-send-message.ts";

const ToolPicker = lazyPart(async () => (await import("#web/features/tools/tool-picker.tsx")).ToolPicker);

const PersonaPicker = lazyPart(async () => (await import("#web/features/personas/persona-picker.tsx")).PersonaPicker);
const PersonaNotice = lazyPart(async () => (await import("#web/features/personas/persona-notice.tsx")).PersonaNotice);

const VoiceButton = lazyPart(async () => (await import("#web/features/voice/voice-button.tsx")).VoiceButton);
const VoiceStrip = lazyPart(async () => (await late(import("#web/features/voice/voice-strip.tsx"))).VoiceStrip);
const QueueDock = lazyPart(async () => (await import("#web/features/queue/queue-dock.tsx")).QueueDock);

const ContextGauge = lazyPart(async () => (await import("#web/features/context-gauge/context-gauge.tsx")).ContextGauge);

const DraftExtras = lazyPart<DraftExtrasProps>(
  async () => (await import("#web/features/attachments/draft-extras.tsx")).DraftExtras,
  ExtrasSpace,
);
const ResearchNotice = lazyPart(async () => (await import("#web/features/research/research-notice.tsx")).ResearchNotice, NoticeSpace);
const RefusalNotice = lazyPart(async () => (await import("./refusal-notice.tsx")).RefusalNotice);
const DropOverlay = lazyPart(async () => (await import("#web/features/attachments/drop-overlay.tsx")).DropOverlay);

/** A second way to the pickers, as some browsers keep their keys to themselves. */
const PICKER_COMMANDS: ReadonlyMap<string, () => void> = new Map([
  ["/model", openModelSelector],
  ["/persona", openPersonaPicker],
]);

type ComposerDockProps = { chatId: string | null; path: readonly Message[]; isBusy: boolean };

/** The composer of a chat, or of the one to come, with the model its next message goes to. */
export function ComposerDock({ chatId, path, isBusy }: ComposerDockProps) {
  const { modelId, name, model } = useSelectedModel(chatId);
  const { isGuest } = useSession();
  const send = useSendMessage(chatId, modelId);
  const navigate = useNavigate();
  const draftKey = chatId ?? NEW_CHAT;
  const refusal = useKeyed(refusals, draftKey);
  const refuse = useCallback(
    () => refusals.set(draftKey, { code: "SIGN_IN_REQUIRED", message: "Sign in required to attach files.", modelId }),
    [draftKey, modelId],
  );
  const attaching = useAttaching(draftKey, isGuest ? refuse : null);
  const { draft, files, paste, setPaste } = attaching;
  const blindModel = attaching.hasPictures && model?.vision === false ? name : null;
  const sendOrSwitch = (text: string) => {
    const openPicker = PICKER_COMMANDS.get(text.trim());
    if (openPicker) {
      clearDraft(draftKey);
      return openPicker();
    }
    setPaste(null);
    const carried = files === "ready" ? { chatId: draft.chatId, files: readyAttachments(draft) } : null;
    const sendAtOnce = () => send(text, carried);
    const mustWait = chatId !== null && (isBusy || isQueueMoving(chatId));
    const isChain = mayBeChain(text) && !sentAsOne.get(draftKey);
    sentAsOne.set(draftKey, false);
    if (!mustWait && !isChain) return sendAtOnce();
    const onFounded = (id: string) => void navigate(`/c/${id}`, { replace: true });
    const wish = { chatId, content: text, modelId, carried, isChain, mustWait, sendAtOnce, onFounded };
    // At once: what is typed while the code comes is the next message.
    clearDraft(draftKey);
    if (carried) clearDraftFiles(draftKey);
    const takeBack = () => {
      writeDraft(draftKey, text);
      if (carried) restoreDraftFiles(draftKey, carried);
    };
    return void import("#web/features/queue/enqueue.ts").then(({ enqueue }) => enqueue(wish), takeBack);
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
        {chatId !== null && <PersonaNotice key={chatId} chatId={chatId} />}
        <QueueDock chatId={chatId} />
        <VoiceStrip draftKey={draftKey} />
      </WhenIdle>
      <Composer
        draftKey={draftKey}
        isRoomy={chatId === null}
        isStreaming={isBusy}
        files={blindModel === null ? files : "waiting"}
        onFiles={attaching.add}
        onLongPaste={isGuest ? ignore : setPaste}
        onSend={sendOrSwitch}
        onStop={() => chatId !== null && stop(chatId)}
        onEditLast={editLast}
        above={
          <>
            {modelId === DEEP_RESEARCH_MODEL_ID && <ResearchNotice />}
            {(files !== "none" || paste !== null) && (
              <DraftExtras draftKey={draftKey} blindModel={blindModel} paste={paste} onPasteDone={() => setPaste(null)} />
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
        <WhenIdle>
          <PersonaPicker chatId={chatId} />
          {modelId !== AUTOPILOT_MODEL_ID && <ToolPicker chatId={chatId} />}
          <VoiceButton
            key={draftKey}
            draftKey={draftKey}
            onSignIn={() => refusals.set(draftKey, { code: "SIGN_IN_REQUIRED", message: "Sign in required to record.", modelId })}
          />
          {model && path.length > 0 && (
            <WhenIdle>
              <ContextGauge path={path} model={model} name={name} />
            </WhenIdle>
          )}
        </WhenIdle>
      </Composer>
      {attaching.isOver && <DropOverlay />}
    </div>
  );
}

/** Guests have no uploads to be offered. */
function ignore(): void {}

/** Holds the room of the notice before a research while its code comes. */
function NoticeSpace() {
  return <div className="mb-10 min-h-36" />;
}

/** Holds the room of one row of files while their code comes. */
function ExtrasSpace() {
  return <div className="mb-10 h-48 touch:h-56" />;
}
