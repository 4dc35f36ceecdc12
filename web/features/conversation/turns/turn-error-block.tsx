import { CircleAlert } from "lucide-react";
import { use } from "react";
import type { Message, MessageError } from "#shared/entities/message.ts";
import { useModelName } from "#web/features/conversation/models/use-models.ts";
import { ReaderContext } from "#web/features/conversation/messages/reader-context.ts";
import { TurnErrorAction } from "./turn-error-action.tsx";

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
