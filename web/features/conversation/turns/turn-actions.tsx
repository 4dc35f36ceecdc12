import { use } from "react";
import type { Message } from "#shared/entities/message.ts";
import { useArtifactsOn } from "#web/features/library/artifacts/artifacts-on.ts";
import { KeepAsArtifact } from "#web/features/library/artifacts/keep-as-artifact.tsx";
import { ForkButton } from "#web/features/conversation/fork/fork-button.tsx";
import { cx } from "#web/ui/cx.ts";
import { lazyPart } from "#web/ui/lazy-part.tsx";
import { WhenIdle } from "#web/ui/when-idle.tsx";
import { CopyButton } from "./copy-button.tsx";
import { ReaderContext } from "#web/features/conversation/messages/reader-context.ts";
import { RegenerateButton } from "./regenerate-button.tsx";
import { TurnDetails } from "./turn-details.tsx";
import { replyStats } from "#web/features/conversation/messages/turn-text.ts";
import { VersionSwitch } from "./version-switch.tsx";

const ReadAloudButton = lazyPart<ReadAloudProps>(
  async () => (await import("#web/features/conversation/read-aloud/read-aloud-button.tsx")).default,
  ButtonSpace,
);

/** False in browsers without a voice. */
const canSpeak = typeof speechSynthesis !== "undefined";

type ReadAloudProps = { message: Message };
export type TurnActionsProps = { message: Message; isLast: boolean; isBusy: boolean; onAgain: (modelId: string | null) => void };

/** What can be done with an answer, and what it took; always there on the last one and on touch, else on hover and focus. */
export function TurnActions({ message, isLast, isBusy, onAgain }: TurnActionsProps) {
  const { canWrite } = use(ReaderContext);
  const hasArtifacts = useArtifactsOn() === "on";
  return (
    <div
      data-print="hide"
      data-actions
      className={cx(
        "mt-8 -ml-8 flex min-h-32 flex-wrap items-center transition-opacity duration-120 touch:min-h-44 touch:-ml-12",
        !isLast && "opacity-0 group-focus-within/turn:opacity-100 group-hover/turn:opacity-100 touch:opacity-100",
      )}
    >
      {message.content !== "" && <CopyButton text={message.content} />}
      {canWrite && <RegenerateButton message={message} isBusy={isBusy} onAgain={onAgain} />}
      <ForkButton message={message} />
      {hasArtifacts && message.content !== "" && (
        <span className="inline-flex min-w-32 touch:min-w-44">
          <WhenIdle>
            <KeepAsArtifact look="icon" text={() => message.content} />
          </WhenIdle>
        </span>
      )}
      {canSpeak && message.content !== "" && (
        <span className="inline-flex min-w-32 touch:min-w-44">
          <WhenIdle>
            <ReadAloudButton message={message} />
          </WhenIdle>
        </span>
      )}
      <TurnDetails message={message} />
      {message.sibling_ids.length > 1 && <span aria-hidden className="mx-6 h-16 w-1 bg-line max-[520px]:hidden" />}
      <VersionSwitch message={message} isBusy={isBusy} />
      <p className="ml-auto hidden truncate pl-12 text-12 text-ink3 tabular-nums desk:block">{replyStats(message).join("\u2002·\u2002")}</p>
    </div>
  );
}

/** Holds a button's room while its code comes. */
function ButtonSpace() {
  return <span className="size-32 touch:size-44" />;
}
