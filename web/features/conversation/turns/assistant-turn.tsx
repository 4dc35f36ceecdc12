import { useId, useMemo, useState, useEffect, memo, useCallback } from "react";
import { ChevronRight, Route } from "lucide-react";
import type { Message } from "#shared/entities/message.ts";
import { isLive } from "#shared/is-live.ts";
import { isMemoryTool } from "#shared/memory-tools.ts";
import type { Autopilot } from "#shared/entities/autopilot.ts";
import {
  type AnswerTableProps,
  AnswerTableContext,
  CitationContext,
  ImageContext,
  type ImageUse,
} from "#web/features/library/markdown/contexts.ts";
import { useModelName } from "#web/features/conversation/models/use-models.ts";
import { ComparedModelsContext, comparedModelsOf, answerKindLabel } from "#web/features/conversation/synthesis/sub-answers.ts";
import type { KnowledgeLineProps } from "#web/features/library/passages/knowledge-line.tsx";
import type { AnsweredOutsideProps } from "./answered-outside.tsx";
import { TriggerNote } from "#web/features/mail/mails/trigger-note.tsx";
import type { MemoryChipsProps } from "#web/features/library/memory/memory-chips.tsx";
import { loadAfterFirstText } from "#web/lib/first-text.ts";
import { cx } from "#web/ui/cx.ts";
import { lazyPart } from "#web/ui/lazy-part.tsx";
import type { CompactionLineProps } from "#web/features/conversation/context-gauge/compaction-line.tsx";
import { useConnection } from "#web/lib/connection.ts";
import type { SourcesProps } from "./sources.tsx";
import { ThinkingLine, TurnLine } from "./turn-line.tsx";
import { useToolInserts } from "./tool-inserts.tsx";
import type { TurnActionsProps } from "./turn-actions.tsx";
import type { TurnEndingProps } from "./turn-ending.tsx";
import { TurnFrame } from "./turn-frame.tsx";
import { formatDuration, stillWaitingText, reasoningLabel } from "#web/features/conversation/messages/turn-text.ts";
import { formatCost } from "#web/lib/dollars.ts";
import { useReply } from "#web/features/conversation/replies/use-reply-stream.ts";
import type { Insert } from "#web/features/library/markdown/inserts.ts";
import { Markdown } from "#web/features/library/markdown/markdown.tsx";
import { goOn, regenerate } from "#web/features/conversation/sending/change-turn.ts";
import { useNotifyFailure } from "#web/features/conversation/sending/use-notify-failure.ts";
import { useCategories } from "#web/features/conversation/tools/use-categories.ts";
import type { TurnErrorProps } from "./turn-error-block.tsx";

/** Milliseconds without news after which it is said that the model is still waited for. */
const QUIET_MS = 8_000;

/** Why an answer failed; few answers need it. */
const TurnError = lazyPart<TurnErrorProps>(async () => (await import("./turn-error-block.tsx")).TurnErrorBlock);

const CompactionLine = lazyPart<CompactionLineProps>(
  async () => (await import("#web/features/conversation/context-gauge/compaction-line.tsx")).CompactionLine,
  space("mb-8 h-28 touch:h-44"),
);

const MemoryChips = lazyPart<MemoryChipsProps>(async () => (await import("#web/features/library/memory/memory-chips.tsx")).MemoryChips);

const KnowledgeLine = lazyPart<KnowledgeLineProps>(
  async () => (await import("#web/features/library/passages/knowledge-line.tsx")).KnowledgeLine,
  space("h-20"),
);

const Sources = lazyPart<SourcesProps>(async () => (await import("./sources.tsx")).Sources, space("mt-12 h-26 touch:mt-6 touch:h-44"));

const TurnEnding = lazyPart<TurnEndingProps>(
  async () => (await import("./turn-ending.tsx")).TurnEnding,
  space("mt-12 h-52 border-t border-line"),
);

const AnsweredOutside = lazyPart<AnsweredOutsideProps>(async () => (await import("./answered-outside.tsx")).AnsweredOutside);

const StanceTable = lazyPart<AnswerTableProps>(
  async () => (await import("#web/features/conversation/synthesis/stance-table.tsx")).StanceTable,
  // As high as the marks' legend makes it.
  ({ plain }) => <div className="pb-18">{plain}</div>,
);

const stanceTable = (props: AnswerTableProps) => <StanceTable {...props} />;
const plainTable = ({ plain }: AnswerTableProps) => plain;

const TurnActions = lazyPart<TurnActionsProps>(
  async () => (await loadAfterFirstText(() => import("./turn-actions.tsx"))).TurnActions,
  space("mt-8 h-32 touch:h-44"),
);

/** Pictures of an imported answer. */
const SentFiles = lazyPart<{ files: Message["attachments"] }>(
  async () => (await import("#web/features/library/attachments/sent-files.tsx")).SentFiles,
  space("h-135"),
);

type AssistantTurnProps = { message: Message; isLast: boolean; isRecent: boolean; isBusy: boolean; hasReserve: boolean };

/** A model's answer: its line, reasoning, text, how it ended, and what can be done with it. */
export function AssistantTurn({ message: stored, isLast, isRecent, isBusy, hasReserve }: AssistantTurnProps) {
  const { message, reply } = useReply(stored);
  const [isOpen, setIsOpen] = useState(false);
  const panelId = useId();
  const name = useModelName(message.model_id);
  const { again, proceed, isContinuing } = useTurnActions(message);

  const live = isLive(message.status);
  const { compaction } = message;
  const busyWith = reply.retry
    ? `Trying again… (attempt ${reply.retry.attempt})`
    : compaction?.status === "running"
      ? "Summarising earlier messages…"
      : null;
  const { kind: connection } = useConnection();
  const quiet = useQuietTime(awaitsModel(message) && busyWith === null && connection === "online", reply);
  const patience = quiet === null ? null : stillWaitingText(quiet);
  const waiting = busyWith ?? patience;
  const hasReasoning = Boolean(message.reasoning);
  const inserts = useToolInserts(message);
  const { tool_calls: calls } = message;
  const comparedModels = useMemo(() => comparedModelsOf(calls), [calls]);
  const way = answerKindLabel(calls);
  const hasBody = message.content !== "" || inserts.length > 0;
  const isThinking = live && !hasBody;
  // What was cut off in the middle is better continued than begun again.
  const canGoOn = (message.status === "interrupted" || message.status === "done") && hasBody;
  const hasActions = !live && (isLast || message.content !== "" || message.sibling_ids.length > 1);
  return (
    <TurnFrame messageId={message.id} speaker={name} isRecent={isRecent} hasReserve={hasReserve} className={hasActions ? "pb-16" : "pb-28"}>
      {compaction && compaction.status !== "running" && <CompactionLine compaction={compaction} />}
      {isThinking && !hasReasoning ? (
        <ThinkingLine modelId={message.model_id} {...(waiting !== null && { label: waiting })} />
      ) : (
        <TurnLine modelId={message.model_id}>
          {way && (
            <span className="truncate text-ink2">
              <span aria-hidden>{"·\u2002"}</span>
              {way}
            </span>
          )}
          {hasReasoning && (
            <ReasoningToggle
              label={reasoningLabel(message.reasoning_ms, isThinking)}
              isOpen={isOpen}
              isThinking={isThinking}
              panelId={panelId}
              onToggle={() => setIsOpen(!isOpen)}
            />
          )}
          {reply.retry && <span className="truncate text-ink3">{`Trying again… (attempt ${reply.retry.attempt})`}</span>}
          {!live && message.trigger && (
            <TriggerNote trigger={message.trigger} cost={message.cost === null ? null : formatCost(message.cost)} />
          )}
          {!live && message.usage && (
            // Beside the reasoning or what triggered it a narrow phone has no room for them; 'Details' has them all.
            <span
              className={cx(
                "flex shrink-0 gap-8 text-ink3 tabular-nums desk:hidden",
                (hasReasoning || message.trigger) && "max-[520px]:hidden",
              )}
            >
              <span>{formatDuration(message.usage.duration_ms)}</span>
              {message.cost !== null && !message.trigger && <span>{formatCost(message.cost)}</span>}
            </span>
          )}
        </TurnLine>
      )}
      {message.autopilot && <AutopilotLine autopilot={message.autopilot} />}
      {message.knowledge && <KnowledgeLine look={message.knowledge} />}
      <div id={panelId} hidden={!isOpen}>
        {isOpen && message.reasoning && <ReasoningText text={message.reasoning} isGrowing={live} />}
      </div>
      {hasBody && (
        <div className="mt-4">
          <CitationContext value={message.citations}>
            <ComparedModelsContext value={comparedModels}>
              <AnswerTableContext value={comparedModels.length > 0 ? stanceTable : plainTable}>
                <AnswerBody message={message} isStreaming={live} inserts={inserts} />
              </AnswerTableContext>
            </ComparedModelsContext>
          </CitationContext>
        </div>
      )}
      {message.attachments.length > 0 && (
        <div className="mt-12 flex">
          <SentFiles files={message.attachments} />
        </div>
      )}
      {(isBetween(message) || (patience !== null && (hasBody || hasReasoning))) && <PauseLine label={patience} />}
      {!live && message.citations.length > 0 && <Sources text={message.content} citations={message.citations} />}
      {message.tool_calls.some(({ tool }) => isMemoryTool(tool)) && <MemoryChips calls={message.tool_calls} />}
      {message.error && !canGoOn ? (
        <TurnError message={message} error={message.error} isBusy={isBusy} onAgain={again} />
      ) : (
        endedEarly(message) && (
          <TurnEnding
            message={message}
            isLast={isLast}
            isBusy={isBusy}
            isContinuing={isContinuing}
            onContinue={() => void proceed()}
            onAgain={() => again(null)}
          />
        )
      )}
      {!live && message.trigger && <AnsweredOutside message={message} />}
      {hasActions && <TurnActions message={message} isLast={isLast} isBusy={isBusy} onAgain={again} />}
    </TurnFrame>
  );
}

/** True for an answer that its maker did not bring to its end. */
function endedEarly({ status, finish_reason: reason }: Message): boolean {
  return status === "stopped" || status === "interrupted" || (status === "done" && reason === "length");
}

/** Holds a part's room while its code comes. */
function space(className: string) {
  return () => <div className={className} />;
}

/** True while nobody but the model has the next word. */
function awaitsModel({ status, tool_calls: calls }: Message): boolean {
  return (status === "accepted" || status === "streaming") && calls.every((call) => call.status !== "running" && call.status !== "waiting");
}

/** True while the model makes of its tools' results what comes next. */
function isBetween(message: Message): boolean {
  const { status, content, tool_calls: calls } = message;
  const last = calls.at(-1);
  return status === "streaming" && last !== undefined && content.length <= last.at && awaitsModel(message);
}

type AnswerBodyProps = {
  message: Message;
  isStreaming: boolean;
  /** What stands between its blocks. */
  inserts: readonly Insert[];
};

/** An answer's text with what stands between. */
function AnswerBody({ message: { id: messageId, chat_id: chatId, content }, isStreaming, inserts }: AnswerBodyProps) {
  const images = useMemo((): ImageUse => ({ kind: "message", chatId, messageId }), [chatId, messageId]);
  return (
    <div data-answer className="min-w-0 text-15 [overflow-wrap:anywhere] text-ink">
      <ImageContext value={images}>
        <Markdown text={content} streaming={isStreaming} inserts={inserts} />
      </ImageContext>
    </div>
  );
}

/** Below what an answer has so far: more is on its way, and since when nothing came where that is long. */
function PauseLine({ label }: { label: string | null }) {
  return (
    <div className="mt-12 flex h-26 items-center gap-8 text-13 text-ink3">
      <span aria-hidden className="thinking-dot shrink-0" />
      {label !== null && <span className="truncate tabular-nums">{label}</span>}
    </div>
  );
}

/** Whole seconds since `news` last changed, once they are many while something is awaited; else null. */
function useQuietTime(isAwaited: boolean, news: unknown): number | null {
  const [held, setHeld] = useState<{ news: unknown; seconds: number } | null>(null);
  useEffect(() => {
    if (!isAwaited) return undefined;
    const since = Date.now();
    const timer = setInterval(() => {
      const quiet = Date.now() - since;
      if (quiet >= QUIET_MS) setHeld({ news, seconds: Math.floor(quiet / 1_000) });
    }, 1_000);
    return () => clearInterval(timer);
  }, [isAwaited, news]);
  return isAwaited && held !== null && held.news === news ? held.seconds : null;
}

type ReasoningToggleProps = { label: string; isOpen: boolean; isThinking: boolean; panelId: string; onToggle: () => void };

/** The fold of a model's reasoning, on its turn's line. */
function ReasoningToggle({ label, isOpen, isThinking, panelId, onToggle }: ReasoningToggleProps) {
  return (
    <>
      {isThinking ? (
        <span aria-hidden className="thinking-dot shrink-0 text-ink3" />
      ) : (
        <span aria-hidden className="text-ink3">
          ·
        </span>
      )}
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={panelId}
        onClick={onToggle}
        className="-mx-4 inline-flex h-28 shrink-0 items-center gap-4 rounded-6 px-4 text-13 text-ink3 tabular-nums transition-colors duration-120 hover:text-ink touch:h-44"
      >
        {label}
        <ChevronRight aria-hidden className={cx("size-14 transition-transform duration-120", isOpen && "rotate-90")} />
      </button>
    </>
  );
}

/** What a model thought, unfolded; gone through again only as it grows itself, not with the answer below it. */
const ReasoningText = memo(function ReasoningText({ text, isGrowing }: { text: string; isGrowing: boolean }) {
  return (
    <div className="mt-4 mb-8 border-l border-line pl-16">
      <Markdown text={text} streaming={isGrowing} isQuiet />
    </div>
  );
});

/** What can be asked of an answer: another one, or its rest. A failure is reported and changes nothing. */
function useTurnActions(message: Message) {
  const notifyFailure = useNotifyFailure();
  const [isContinuing, setIsContinuing] = useState(false);

  const again = useCallback(
    (modelId: string | null) => {
      regenerate(message, modelId).catch((error: unknown) =>
        notifyFailure("Failed to regenerate", error, modelId ?? message.requested_model_id),
      );
    },
    [message, notifyFailure],
  );
  const proceed = useCallback(async () => {
    setIsContinuing(true);
    try {
      await goOn(message);
    } catch (error) {
      notifyFailure("Failed to continue", error, message.requested_model_id);
    } finally {
      setIsContinuing(false);
    }
  }, [message, notifyFailure]);
  return { again, proceed, isContinuing };
}

type AutopilotLineProps = { autopilot: Autopilot };

/** What Autopilot chose for an answer and why; the model itself is named above. */
function AutopilotLine({ autopilot: { reason, tool_categories: ids } }: AutopilotLineProps) {
  const names = useCategories()
    .filter(({ id }) => ids.includes(id))
    .map(({ name }) => name);
  return (
    <p className="flex min-h-20 items-start gap-6 text-13 text-ink3">
      <Route aria-hidden className="mt-3 size-14 shrink-0" />
      <span className="min-w-0">{`Autopilot: ${reason}. ${names.length === 0 ? "No tools" : `Tools: ${names.join(", ")}`}`}</span>
    </p>
  );
}
