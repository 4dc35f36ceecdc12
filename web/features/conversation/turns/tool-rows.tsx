import { useRef, useState, useCallback, useLayoutEffect, type RefObject } from "react";
import type { ToolCall } from "#shared/entities/tool-call.ts";
import { useSession } from "#web/features/people/session/use-session.ts";
import { SubAnswerRows } from "#web/features/conversation/synthesis/sub-answer-rows.tsx";
import { SYNTHESIS_TOOL } from "#web/features/conversation/synthesis/sub-answers.ts";
import { TruthRow, isTruthStep } from "#web/features/conversation/truth-seeker/truth-row.tsx";
import { counted } from "#web/lib/format.ts";
import { ApprovalCard } from "#web/features/conversation/tools/approval-card.tsx";
import { firstText } from "#web/features/conversation/tools/tool-input.ts";
import { ToolRow } from "#web/features/conversation/tools/tool-row.tsx";
import ChangedMarks from "#web/features/conversation/truth-seeker/changed-marks.tsx";

type ToolRowsProps = {
  chatId: string;
  calls: readonly ToolCall[];
  /** True until the answer has settled. */
  isLive: boolean;
};

/** Rows shown at once; the others are a press away, except what waits for approval. */
const SHOWN_ROWS = 6;

/** The tool calls at one place of an answer: a row each, and a card for what waits for this reader's word. */
export function ToolRows({ chatId, calls, isLive }: ToolRowsProps) {
  const { user } = useSession();
  const [showsAllRows, setIsWhole] = useState(false);
  const list = useRef<HTMLDivElement>(null);
  const noteFocus = useFocusHeir(list);
  const isFolded = !showsAllRows && calls.length > SHOWN_ROWS + 2;
  const shown = isFolded ? calls.filter(({ status }, index) => index < SHOWN_ROWS || status === "waiting") : calls;
  const refined = draftOf(calls);
  return (
    <div ref={list} data-tools className="text-13">
      {shown.map((call) =>
        call.status === "waiting" && call.approval && call.approval.user.id === user?.id ? (
          <ApprovalCard key={call.id} chatId={chatId} call={call} onFocusLost={noteFocus} />
        ) : isShownBySubAnswers(call) ? (
          <SubAnswerRows key={call.id} parts={call.parts} />
        ) : isTruthStep(call) ? (
          <TruthRow key={call.id} call={call} />
        ) : (
          <ToolRow key={call.id} chatId={chatId} call={call} readerId={user?.id} />
        ),
      )}
      {refined && !isLive && <ChangedMarks draft={refined} />}
      {isFolded && (
        <button
          type="button"
          onClick={() => setIsWhole(true)}
          className="flex h-34 items-center rounded-8 pl-26 text-13 text-ink2 transition-colors duration-120 hover:text-ink touch:h-44"
        >
          {`Show ${counted(calls.length - shown.length, "more tool call")}`}
        </button>
      )}
    </div>
  );
}

/** Whether a call's legs say all that there is to say of it. */
function isShownBySubAnswers({ tool, status, parts }: ToolCall): boolean {
  return tool === SYNTHESIS_TOOL && parts.length > 0 && (status === "running" || status === "done");
}

/** The draft that an answer refined; null where none was. */
function draftOf(calls: readonly ToolCall[]): string | null {
  const refine = calls.findLast(({ tool, status }) => tool === "truthSeekRefine" && status === "done");
  return refine ? firstText(refine.input, "draft") : null;
}

/**
 * Gives the focus on when what held it goes with an answer: a card that is decided leaves it to the row in its place.
 * `note` gets the id of a card that goes with the focus in it; rows carry theirs as `data-call`.
 */
function useFocusHeir(list: RefObject<HTMLElement | null>): (id: string) => void {
  const left = useRef<string | null>(null);
  useLayoutEffect(() => {
    const id = left.current;
    if (id === null) return;
    left.current = null;
    list.current?.querySelector<HTMLElement>(`[data-call="${id}"] button`)?.focus({ preventScroll: true });
  });
  return useCallback((id: string) => {
    left.current = id;
  }, []);
}
