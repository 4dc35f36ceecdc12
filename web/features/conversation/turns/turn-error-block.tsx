import { CircleAlert } from "lucide-react";
import { use, useEffect, useState, Suspense, lazy } from "react";
import type { Message, MessageError } from "#shared/entities/message.ts";
import { useModelName } from "#web/features/conversation/models/use-models.ts";
import { ReaderContext } from "#web/features/conversation/messages/reader-context.ts";
import { keys, queryClient } from "#web/lib/query.ts";
import { Button } from "#web/ui/button.tsx";
import { editing } from "#web/features/conversation/sending/editing.ts";
import { type MessagePages, pathOf } from "#web/features/conversation/messages/message-pages.ts";
import { RemedyAction } from "#web/features/conversation/sending/remedy-action.tsx";
import { formatWait } from "#web/features/conversation/messages/turn-text.ts";
import { TryAgain } from "#web/ui/try-again.tsx";
import { useSelectedModel } from "#web/features/conversation/models/use-selected-model.ts";

export type TurnErrorProps = {
  message: Message;
  error: MessageError;
  isBusy: boolean;
  onAgain: (modelId: string | null) => void;
};

/** Why an answer failed, in its place, with one thing to do about it. */
export function TurnErrorBlock({ message, error, isBusy, onAgain }: TurnErrorProps) {
  const { canWrite } = use(ReaderContext);
  const name = useModelName(message.model_id ?? message.requested_model_id);
  return (
    <div className="mt-4 flex flex-wrap items-center gap-x-14 gap-y-10 rounded-12 bg-danger-soft px-16 py-14 text-14 max-[520px]:[&>button]:ml-32">
      <CircleAlert aria-hidden className="size-18 self-start text-danger" />
      <div className="min-w-200 flex-1 max-[520px]:min-w-[calc(100%-32px)]">
        <p className="font-medium text-danger">{message.content === "" ? `${name} did not answer` : `${name} could not finish`}</p>
        <p className="text-ink">{error.message}</p>
      </div>
      {canWrite && <TurnErrorAction message={message} error={error} isBusy={isBusy} onAgain={onAgain} />}
    </div>
  );
}

type TurnErrorActionProps = { message: Message; error: MessageError; isBusy: boolean; onAgain: (modelId: string | null) => void };

const look = "border border-line bg-s2! hover:bg-s3!";

/** The one button of an error; nothing where only the text helps. */
function TurnErrorAction({ message, error, isBusy, onAgain }: TurnErrorActionProps) {
  switch (error.action) {
    case "retry":
      return <TryAgain className={look} disabled={isBusy} onClick={() => onAgain(null)} />;
    case "wait":
      return <WaitButton seconds={error.retryAfter ?? 0} since={message.created_at} isBusy={isBusy} onAgain={() => onAgain(null)} />;
    case "switch_model":
      return <SwitchModelButton message={message} isBusy={isBusy} className={look} onAgain={onAgain} />;
    case "shorten":
      return (
        <Button size="sm" className={look} disabled={isBusy || message.parent_id === null} onClick={() => editQuestion(message)}>
          Edit message
        </Button>
      );
    case "sign_in":
      return <RemedyAction remedy="sign_in" modelId={message.requested_model_id ?? ""} />;
    case "add_credits":
      return <RemedyAction remedy="see_usage" modelId={message.requested_model_id ?? ""} />;
    case "none":
      return null;
  }
}

function editQuestion({ chat_id: chatId, parent_id: parentId }: Message): void {
  const path = pathOf(queryClient.getQueryData<MessagePages>(keys.messages(chatId)));
  editing.set(chatId, path.find(({ id }) => id === parentId) ?? null);
}

type WaitButtonProps = { seconds: number; since: string; isBusy: boolean; onAgain: () => void };

/** Counts down what the provider asked to wait, then tries again on a press. */
function WaitButton({ seconds, since, isBusy, onAgain }: WaitButtonProps) {
  const [now, setNow] = useState(Date.now);
  // No longer than asked, should this machine's clock be behind.
  const left = Math.min(seconds, Math.max(0, Math.ceil((Date.parse(since) + seconds * 1_000 - now) / 1_000)));
  const isWaiting = left > 0;
  useEffect(() => {
    if (!isWaiting) return undefined;
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, [isWaiting]);
  return (
    <Button size="sm" className={`${look} tabular-nums`} disabled={isWaiting || isBusy} onClick={onAgain}>
      {isWaiting ? `Try again in ${formatWait(left)}` : "Try again"}
    </Button>
  );
}

const OtherModelPicker = lazy(() => import("./other-model-picker.tsx"));

type SwitchModelButtonProps = { message: Message; isBusy: boolean; className: string; onAgain: (modelId: string) => void };

/** Where the model is the trouble: picks another one for the chat and has it answer in this place. */
function SwitchModelButton({ message, isBusy, className, onAgain }: SwitchModelButtonProps) {
  const { select } = useSelectedModel(message.chat_id);
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const close = () => setAnchor(null);
  return (
    <>
      <Button
        size="sm"
        className={className}
        disabled={isBusy}
        aria-haspopup="dialog"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(anchor ? null : event.currentTarget)}
      >
        Switch model
      </Button>
      {anchor && (
        <Suspense>
          <OtherModelPicker
            anchor={anchor}
            currentId={message.requested_model_id}
            onClose={close}
            onPick={(modelId) => {
              close();
              select(modelId);
              onAgain(modelId);
            }}
          />
        </Suspense>
      )}
    </>
  );
}
