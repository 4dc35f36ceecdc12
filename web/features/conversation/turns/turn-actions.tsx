import { use, Suspense, lazy, useState } from "react";
import { ChevronDown, RefreshCw, Info } from "lucide-react";
import type { Message } from "#shared/entities/message.ts";
import { useArtifactsOn } from "#web/features/library/artifacts/artifacts-on.ts";
import { KeepAsArtifact } from "#web/features/library/artifacts/keep-as-artifact.tsx";
import { ForkButton } from "#web/features/conversation/fork/fork-button.tsx";
import { cx } from "#web/ui/cx.ts";
import { lazyPart } from "#web/ui/lazy-part.tsx";
import { WhenIdle } from "#web/ui/when-idle.tsx";
import { CopyButton } from "./copy-button.tsx";
import { ReaderContext } from "#web/features/conversation/messages/reader-context.ts";
import { replyStats } from "#web/features/conversation/messages/turn-text.ts";
import { IconButton } from "#web/ui/icon-button.tsx";
import { Dialog } from "#web/ui/dialog/dialog.tsx";
import { Popover } from "#web/ui/menu/popover.tsx";
import { useIsMobile } from "#web/ui/use-is-mobile.ts";
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

const OtherModelPicker = lazy(() => import("./other-model-picker.tsx"));

type RegenerateButtonProps = { message: Message; isBusy: boolean; onAgain: (modelId: string | null) => void };

/** Answers again with the same model; beside it, with another one. */
function RegenerateButton({ message, isBusy, onAgain }: RegenerateButtonProps) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const isOpen = anchor !== null;
  const close = () => setAnchor(null);
  return (
    <span className="inline-flex items-center">
      <IconButton label="Regenerate" icon={RefreshCw} disabled={isBusy} onClick={() => onAgain(null)} />
      <IconButton
        label="Answer with another model"
        icon={ChevronDown}
        disabled={isBusy}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        className="w-24 [&_svg]:size-14 touch:w-44"
        onClick={(event) => setAnchor(isOpen ? null : event.currentTarget)}
      />
      {anchor && (
        <Suspense>
          <OtherModelPicker
            anchor={anchor}
            currentId={message.model_id}
            onClose={close}
            onPick={(modelId) => {
              close();
              onAgain(modelId);
            }}
          />
        </Suspense>
      )}
    </span>
  );
}

const TurnFacts = lazyPart(async () => (await import("./turn-facts.tsx")).TurnFacts);

/** The room at both sides of the panel, in pixels. */
const GAPS = 8 + 4;

/** How an answer came about: models asked and answered, tokens, cost, time. It stands beside the answer, else below it. */
function TurnDetails({ message }: { message: Message }) {
  const [isOpen, setIsOpen] = useState(false);
  const [room, setRoom] = useState(0);
  const isMobile = useIsMobile();
  const measure = (button: HTMLElement) => {
    const end = actionsOf(button)?.getBoundingClientRect().right ?? window.innerWidth;
    setRoom(window.innerWidth - end - GAPS);
  };
  if (isMobile) {
    return (
      <>
        <IconButton label="Details" icon={Info} aria-haspopup="dialog" aria-expanded={isOpen} onClick={() => setIsOpen(true)} />
        <Dialog open={isOpen} onOpenChange={setIsOpen} title="Details" width={360}>
          <TurnFacts message={message} />
        </Dialog>
      </>
    );
  }
  return (
    <Popover
      label="Details"
      open={isOpen}
      onOpenChange={setIsOpen}
      side={room < 192 ? "bottom" : "right"}
      align="end"
      placedAt={actionsOf}
      className={cx(
        "overflow-y-auto",
        room < 192 ? "max-h-[60dvh]" : "max-h-(--available-height)",
        room >= 192 && room < 288 ? "w-192" : "w-288",
      )}
      trigger={<IconButton label="Details" icon={Info} onClick={(event) => measure(event.currentTarget)} />}
    >
      <TurnFacts message={message} />
    </Popover>
  );
}

/** The row of the answer's actions: what stands beside all of it stands beside the answer. */
function actionsOf(button: HTMLElement): Element | null {
  return button.closest("[data-actions]");
}
