import type { Message } from "#shared/entities/message.ts";
import { Composer } from "#web/features/composer/composer.tsx";
import { clearDraft } from "#web/features/composer/drafts.ts";
import { ModelSelector } from "#web/features/models/model-selector.tsx";
import { openModelSelector } from "#web/features/models/selector-store.ts";
import { useSelectedModel } from "#web/features/models/use-selected-model.ts";
import { lazyPart } from "#web/ui/lazy-part.tsx";
import { WhenIdle } from "#web/ui/when-idle.tsx";
import { editing } from "./editing.ts";
import { RefusalNotice } from "./refusal-notice.tsx";
import { stop } from "./send-message.ts";
import { NEW_CHAT, useSendMessage } from "./use-send-message.ts";

const ToolPicker = lazyPart(async () => (await import("#web/features/tools/tool-picker.tsx")).ToolPicker);

type ComposerDockProps = { chatId: string | null; path: readonly Message[]; isBusy: boolean };

/** The composer of a chat, or of the one to come, with the model its next message goes to. */
export function ComposerDock({ chatId, path, isBusy }: ComposerDockProps) {
  const { modelId } = useSelectedModel(chatId);
  const send = useSendMessage(chatId, modelId);
  const draftKey = chatId ?? NEW_CHAT;
  // A second way to the selector, as some browsers keep its keys to themselves.
  const sendOrSwitch = (text: string) => {
    if (text.trim() !== "/model") return send(text);
    clearDraft(draftKey);
    return openModelSelector();
  };
  const editLast = () => {
    const last = path.findLast((message) => message.role === "user");
    if (last && chatId !== null && !isBusy) editing.set(chatId, last.id);
  };
  return (
    <div
      data-print="hide"
      className="relative mx-auto w-full max-w-792 shrink-0 px-8 pb-[calc(8px+var(--safe-bottom))] desk:px-16 desk:pb-16"
    >
      <RefusalNotice draftKey={draftKey} />
      <Composer
        draftKey={draftKey}
        isRoomy={chatId === null}
        isStreaming={isBusy}
        onSend={sendOrSwitch}
        onStop={() => chatId !== null && stop(chatId)}
        onEditLast={editLast}
      >
        <ModelSelector chatId={chatId} />
        <WhenIdle>
          <ToolPicker chatId={chatId} />
        </WhenIdle>
      </Composer>
    </div>
  );
}
