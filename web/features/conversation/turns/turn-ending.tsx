import { CircleStop, Play, Scissors, Unplug } from "lucide-react";
import type { LucideIcon } from "lucide-react";
import { use } from "react";
import type { Message } from "#shared/entities/message.ts";
import { Button } from "#web/ui/button.tsx";
import { ReaderContext } from "#web/features/conversation/messages/reader-context.ts";
import { savedWordCountText } from "#web/features/conversation/messages/turn-text.ts";

export type TurnEndingProps = {
  message: Message;
  isLast: boolean;
  isBusy: boolean;
  isContinuing: boolean;
  onContinue: () => void;
  onAgain: () => void;
};

type Ending = { icon: LucideIcon; text: string };

/** How an answer ended early; null for one that ended well or whose error says it all. */
function endingOf(message: Message): Ending | null {
  const { status, content, finish_reason, error } = message;
  if (status === "done" && finish_reason === "length") return { icon: Scissors, text: error?.message ?? "Cut off at the model's limit." };
  // Words are counted only for those: a growing answer's would be with every frame.
  if (status !== "stopped" && status !== "interrupted") return null;
  const rest = isEmpty(message) ? " before the first word." : null;
  const saved = content.trim() === "" ? "" : ` ${savedWordCountText(content)}`;
  if (status === "stopped") return { icon: CircleStop, text: `Stopped${rest ?? `.${saved}`}` };
  const cause = error?.message ?? "Interrupted when the connection dropped.";
  return { icon: Unplug, text: rest ? `Interrupted${rest}` : `${cause}${saved}` };
}

/** True where nothing came that an answer could go on from. */
function isEmpty({ content, tool_calls }: Message): boolean {
  return content.trim() === "" && tool_calls.length === 0;
}

/** The row under an answer that ended early, with the way to go on. */
export function TurnEnding({ message, isLast, isBusy, isContinuing, onContinue, onAgain }: TurnEndingProps) {
  const { canWrite } = use(ReaderContext);
  const ending = endingOf(message);
  if (ending === null) return null;
  const { icon: Icon, text } = ending;
  const canContinue = !isEmpty(message);
  return (
    <div className="mt-12 flex min-h-52 items-center gap-8 border-t border-line py-8 text-13 text-ink2">
      <Icon aria-hidden className="size-16" />
      <p className="min-w-0 flex-1">{text}</p>
      {isLast && canWrite && (
        <Button
          size="sm"
          className="border border-line bg-s2! hover:bg-s3!"
          busy={isContinuing}
          disabled={isBusy}
          onClick={canContinue ? onContinue : onAgain}
        >
          {canContinue && <Play aria-hidden className="size-14" />}
          {canContinue ? "Continue" : "Try again"}
        </Button>
      )}
    </div>
  );
}
