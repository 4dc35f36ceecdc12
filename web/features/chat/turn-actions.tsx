import type { Message } from "#shared/entities/message.ts";
import { ForkButton } from "#web/features/fork/fork-button.tsx";
import { cx } from "#web/ui/cx.ts";
import { CopyButton } from "./copy-button.tsx";
import { RegenerateButton } from "./regenerate-button.tsx";
import { TurnDetails } from "./turn-details.tsx";
import { replyFigures } from "./turn-text.ts";
import { VersionSwitch } from "./version-switch.tsx";

type TurnActionsProps = { message: Message; isLast: boolean; isBusy: boolean; onAgain: (modelId: string | null) => void };

/** What can be done with an answer, and what it took; always there on the last one and on touch, else on hover and focus. */
export function TurnActions({ message, isLast, isBusy, onAgain }: TurnActionsProps) {
  return (
    <div
      data-print="hide"
      className={cx(
        "mt-8 -ml-8 flex h-32 items-center transition-opacity duration-120 touch:h-44 touch:-ml-12",
        !isLast && "opacity-0 group-focus-within/turn:opacity-100 group-hover/turn:opacity-100 touch:opacity-100",
      )}
    >
      {message.content !== "" && <CopyButton text={message.content} />}
      <RegenerateButton message={message} isBusy={isBusy} onAgain={onAgain} />
      <ForkButton message={message} />
      <TurnDetails message={message} />
      {message.sibling_ids.length > 1 && <span aria-hidden className="mx-6 h-16 w-1 bg-line" />}
      <VersionSwitch message={message} isBusy={isBusy} />
      <p className="ml-auto hidden truncate pl-12 text-12 text-ink3 tabular-nums desk:block">
        {replyFigures(message).join("\u2002·\u2002")}
      </p>
    </div>
  );
}
